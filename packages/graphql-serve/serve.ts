import { type EventLoop, gauge, MemoryShare } from '@gateway/base';
import type { Logger } from 'pino';
import type { Graph } from './graph.ts';
import { adminRoutes, type Readiness } from './http/admin.ts';
import { startAdminThread } from './http/admin-thread.ts';
import { AnswerStream } from './http/answer-stream.ts';
import { ConcurrencyLimit } from './http/concurrency-limit.ts';
import { corsFor } from './http/cors.ts';
import { graphqlEndpoint } from './http/graphql-endpoint.ts';
import { type HttpServer, listen } from './http/listen.ts';
import { operationHandler, uncacheable } from './http/operation-handler.ts';
import { callersOf } from './http/request.ts';
import { graphqlPath, routes } from './http/routes.ts';
import { UntakenAnswers } from './http/untaken-answers.ts';
import { errorFormatter } from './operations/errors/format.ts';
import { OperationCache } from './operations/operation-cache.ts';
import type { DocumentStore } from './operations/operation-request.ts';
import { startPipeline } from './operations/pipeline.ts';
import type { OpenPart, Part, PartHost } from './part.ts';
import { codingFor } from './request/accept.ts';
import { defaultSettings, type ServeSettings } from './settings.ts';
import { alone, type Shared } from './shared.ts';
import { accessLog } from './watch/access-log.ts';
import { createLogger } from './watch/logger.ts';
import { memoryMetrics, openMetrics, type SharedMetrics } from './watch/metrics.ts';
import { Traffic } from './watch/traffic.ts';

/**
 * A proxy sends a request over an idle connection at any moment, until a new connection was refused. Without a delay there
 * is no proxy.
 */
const proxyIdleMs = 1_000;

/** Apollo Server refuses a request without a text. */
const noDocuments: DocumentStore = { resolve: (request) => request, idOf: () => undefined };

export interface ServeOptions {
  /** By default `defaultSettings`. */
  settings?: ServeSettings;
  /** By default no other gateways, and no records: a write with an Idempotency-Key is refused. */
  shared?: Shared;
  /** Those that plug in, in the order in which they open. */
  parts?: readonly (OpenPart | false)[];
  /** By default lines of JSON on standard output. */
  logger?: Logger;
  /** Absent where operations are not logged. */
  accessLogger?: Logger | undefined;
  /** Absent in a gateway of one process. */
  sharedMetrics?: SharedMetrics | undefined;
  /** In place of the event loop of this process, which other work may keep busy. */
  loop?: Pick<EventLoop, 'isBusy'> | undefined;
}

export interface Gateway {
  /** Where GraphQL is served, and GraphiQL in a browser. */
  url: string;
  /** Where health checks and metrics have a port of their own. */
  adminUrl: string | undefined;
  /** The parts read their files anew. */
  reload(): Promise<void>;
  /**
   * Reports not ready, takes requests for the shutdown delay, closes its port, and answers the requests in progress. Cuts
   * the rest after the shutdown timeout: resolves with false if there was any.
   */
  close(): Promise<boolean>;
}

/** Serves a graph over HTTP. Rejects for a port in use, and where a part does not open. */
export async function serve(graph: Graph, options: ServeOptions = {}): Promise<Gateway> {
  const { settings = defaultSettings, shared = alone, parts: openParts = [], accessLogger, sharedMetrics } = options;
  const logger = options.logger ?? createLogger({ level: 'info' }, process.stdout, graph.keyHeader);
  const { clients, uploads, documents: limits } = settings.limits;
  const introspectionEnabled = settings.graphql.introspection;
  if (graph.shared) await shared.others.listen(graph.shared);
  const operations = new OperationCache(settings.cache.documents.maxBytes);
  const { answerBytes } = settings.limits.operations;
  const formatError = errorFormatter(logger);
  const pipeline = await startPipeline({ graph, limits, answerBytes, operations, introspectionEnabled, formatError });
  const clientBodies = new MemoryShare(clients.bodiesBytes);
  const spooledFiles = new MemoryShare(uploads.spooledBytes);
  const untaken = new MemoryShare(clients.answersBytes);
  const memory = {
    client_bodies: clientBodies,
    answers: untaken,
    spooled_files: spooledFiles,
    documents: operations,
    ...graph.memoryUses,
  };
  const places = new ConcurrencyLimit(settings.limits.operations, options.loop);
  const traffic = new Traffic();
  const answers = new UntakenAnswers(untaken, clients);
  /** Undefined until it listens. */
  let server: HttpServer | undefined;
  const readiness = (): Readiness => (server?.isStopping ? 'stopping' : server ? 'ready' : 'starting');
  const unshared = uncacheable(settings);
  const isCoded = settings.server.compression === 'on';
  let documents = noDocuments;
  const parts: Part[] = [];
  const host: PartHost = {
    graph,
    settings,
    callerOf: callersOf(graph, settings.upstream),
    pipeline,
    cachedDocument: (text) => operations.document(text),
    operations: places,
    answers,
    unshared,
    stream(response, current, headers) {
      const coding = isCoded ? codingFor(response.req.headers, Number.POSITIVE_INFINITY) : undefined;
      const watch = (write: () => Promise<void>) => answers.writePart(response, write);
      const stream = new AnswerStream(response, { ...unshared, ...headers }, coding, watch);
      current.sent = stream.sent;
      return stream;
    },
    formatError,
    logger,
    traffic,
    documents: () => documents,
    spans: () => parts.find(({ spans }) => spans)?.spans,
    readMetrics: () => metrics.own(),
    isClosing: () => server?.isClosing === true,
  };
  for (const open of openParts) {
    const part = open && (await open(host));
    if (part) parts.push(part);
  }
  documents = parts.find((part) => part.documents)?.documents ?? noDocuments;
  const metrics = openMetrics(
    [
      traffic.operations,
      traffic.seconds,
      gauge('operations_in_flight', 'Operations that are not answered yet.', () => traffic.inFlight),
      gauge('operations_queued', 'Operations that wait until they may run.', () => places.waiting),
      places.refused,
      traffic.errors,
      traffic.operationsWithErrors,
      traffic.answers,
      traffic.uploads,
      traffic.uploadedBytes,
      operations.misses,
      ...(graph.metrics ?? []),
      ...shared.metrics,
      ...parts.flatMap((part) => part.metrics ?? []),
      ...memoryMetrics(memory),
      gauge('workers', 'Workers that are to serve.', () => settings.server.workers, 'max'),
      gauge('workers_reporting', 'Workers in the sums of this scrape.', () => 1),
    ],
    sharedMetrics,
  );
  traffic.observers.push(...parts.flatMap(({ observer }) => observer ?? []));
  if (accessLogger?.isLevelEnabled('info')) traffic.observers.push(accessLog(accessLogger));
  const formats = parts.flatMap((part) => part.formats ?? []);
  const run = operationHandler({ ...host, idempotency: shared.idempotency });
  const graphql = graphqlEndpoint({ ...host, ...shared, run, documents, formats, clientBodies, spooledFiles });
  const { host: address, adminPort } = settings.server;
  // With a port of their own, clients do not reach the metrics.
  const operator = adminRoutes({ readiness, ...(adminPort === undefined && { metrics: metrics.text }) });
  const others = [...operator, ...parts.flatMap((part) => part.routes ?? [])];
  const cors = corsFor(settings.server.corsOrigins, graph.keyHeader.toLowerCase(), settings.upstream.forwardHeaders, [
    ...others.flatMap((route) => route.cors ?? []),
    ...formats.map(({ shown = [] }) => ({ headers: [], shown })),
  ]);
  // The primary process answers for its workers.
  const admin =
    adminPort === undefined || sharedMetrics
      ? undefined
      : await startAdminThread({ host: address, port: adminPort }, { readiness, metrics: metrics.text });
  const closeAll = async () => {
    admin?.close();
    await pipeline.stop();
    await graph.close?.();
    await shared.close();
    for (const part of parts) await part.close?.();
  };
  const page = parts.find(({ page }) => page)?.page;
  const handle = routes({ graphql: graphql.handle, page, others, cors });
  const { refusalOf } = graphql;
  const http = await listen({ ...host, traffic, cors, handle, refusalOf }).catch(async (error) => {
    await closeAll();
    throw error;
  });
  server = http;

  return {
    url: urlOf(address, http.port) + graphqlPath,
    adminUrl: admin && urlOf(address, admin.port),
    async reload() {
      for (const part of parts) await part.reload?.();
    },
    async close() {
      const { delayMs } = settings.shutdown;
      const cut = await http.close({ ...settings.shutdown, idleMs: Math.min(delayMs, proxyIdleMs) });
      await closeAll();
      if (cut > 0) logger.warn({ requests: cut }, 'Requests were cut, because shutdown.timeoutMs was over');
      return cut === 0;
    },
  };
}

export function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
