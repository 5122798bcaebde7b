import { Deadlines, type MemoryBudget, MemoryShare, type ValidDocument } from '@gateway/base';
import { fileEndpoint } from '@gateway/files';
import { openGraphiql } from '@gateway/graphiql';
import {
  AccessLog,
  type Admin,
  type Carrier,
  ConcurrencyLimit,
  corsFor,
  type Gateway,
  graphqlEndpoint,
  graphqlPath,
  Idempotency,
  listen,
  OperationCache,
  OtherGateways,
  openMetrics,
  openRedis,
  openStore,
  operationHandler,
  redisCarrier,
  routes,
  type SharedMetrics,
  type Spans,
  startAdminThread,
  startPipeline,
  Traffic,
  TrustedDocuments,
  UntakenAnswers,
  urlOf,
} from '@gateway/graphql-serve';
import { type App, Batches, executableSchema, type Service, type ServiceCosts } from '@gateway/rest-graph';
import { ExportCounts, openTelemetry } from '@gateway/telemetry';
import { ElementUses } from '@gateway/usage';
import type { Logger } from 'pino';
import type { Config, TelemetrySettings } from './config.ts';
import { openMedia, openUpstream } from './open-upstream.ts';
import { changePace, type SandboxPace } from './sandbox-pace.ts';

/**
 * A proxy sends a request over an idle connection at any moment, until a new connection was refused. Without a delay there
 * is no proxy.
 */
const proxyIdleMs = 1_000;

export interface GatewayOptions {
  config: Config;
  upstreamUrl: string;
  /** A name of the service that survives restarts, where its URL does not. */
  serviceName?: string;
  /** The key that GraphiQL opens with, which every visitor sees. */
  demoKey?: string;
  /** Absent where GraphiQL cannot change the pace of a sandbox. */
  sandboxPace?: SandboxPace | undefined;
  logger: Logger;
  /** Absent where operations are not logged. */
  accessLogger?: Logger | undefined;
  /** Fixed costs of the service, in place of learnt ones. */
  costs?: ServiceCosts;
  /** The clock of a service in this process, in milliseconds since 1970. */
  serviceClock?: () => number;
  /** Absent where nothing is exported by OpenTelemetry. */
  telemetry?: TelemetrySettings | undefined;
  /** Takes the spans of operations in place of OpenTelemetry. */
  spans?: Spans;
  /** Carries messages to the other workers. Absent in a gateway of one process. */
  carrier?: Carrier;
  /** Absent in a gateway of one process. */
  sharedMetrics?: SharedMetrics;
}

/** Starts the parts of one gateway, and joins them. Rejects for a port in use, and for a store that cannot be opened. */
export async function startGateway(app: App, options: GatewayOptions): Promise<Gateway> {
  const { contract } = app;
  const {
    config,
    upstreamUrl,
    serviceName = upstreamUrl,
    demoKey,
    sandboxPace,
    logger,
    accessLogger,
    costs,
    serviceClock,
    telemetry,
    spans: ownSpans,
    carrier,
    sharedMetrics,
  } = options;
  // Redis connects while this thread makes the schema.
  const opening = openRedis(config.redis, logger);
  const store = opening.then((redis) => openStore(config.idempotency, redis));
  store.catch(() => {});
  const schema = executableSchema(app, config.graphql);
  const operations = new OperationCache(config.cache.documents.maxBytes);
  const documents = await TrustedDocuments.open(config.graphql.trustedDocuments, {
    schema,
    limits: config.limits,
    introspectionEnabled: config.graphql.introspection,
    usesCache: config.cache.lists.ttlMs > 0,
    operations,
    logger,
  });
  const idOf = (document: ValidDocument) => documents.idOf(document);
  const elements = new ElementUses({ schema, counted: config.graphql.countedElements, idOf });
  const upstreamAnswers = new MemoryShare(config.upstream.answersBytes);
  const runningOperations = new MemoryShare(config.limits.operations.memoryBytes);
  const redis = await opening;
  const others = new OtherGateways(redis ? redisCarrier(redis, serviceName, logger) : carrier);
  const upstream = openUpstream(config, {
    contract,
    url: upstreamUrl,
    answers: upstreamAnswers,
    costs,
    serviceClock,
    others,
    logger,
  });
  await others.listen(upstream);
  const pipeline = await startPipeline({
    schema,
    limits: config.limits.documents,
    operations,
    introspectionEnabled: config.graphql.introspection,
    logger,
  });
  const idempotency = new Idempotency(await store, config.idempotency, logger, serviceName);
  const service: Service = {
    app,
    idempotency,
    upstream,
    settings: config.upstream,
    batches: new Batches(),
    limits: config.limits.operations,
    memory: runningOperations,
    deadlines: new Deadlines(config.limits.operations.timeoutMs),
    introspectionEnabled: config.graphql.introspection,
  };
  const places = new ConcurrencyLimit(config.limits.operations);
  const traffic = new Traffic();
  const { clients, uploads } = config.limits;
  const clientBodies = new MemoryShare(clients.bodiesBytes);
  const spooledFiles = new MemoryShare(uploads.spooledBytes);
  const untaken = new MemoryShare(clients.answersBytes);
  const memory: MemoryBudget = new Map(
    Object.entries({
      client_bodies: clientBodies,
      answers: untaken,
      upstream_answers: upstreamAnswers,
      running_operations: runningOperations,
      spooled_files: spooledFiles,
      documents: operations,
      lists: upstream.listCache,
      parsed_bodies: upstream.bodies,
    }),
  );
  const { workers } = config.server;
  const files = config.media.proxy ? await openMedia(contract, upstreamUrl, config) : undefined;
  const mediaQueue = files?.queue;
  const exported = new ExportCounts();
  const counted = { traffic, places, service, idempotency, documents, operations, elements, exported };
  const measured = { ...counted, memory, mediaQueue, others, redis, workers };
  const metrics = openMetrics(measured, sharedMetrics);
  const exports = await openTelemetry(telemetry, {
    upstreamUrl,
    slowMs: config.tracing.slowMs,
    counts: exported,
    idOf,
    readMetrics: metrics.own,
    logger,
  });
  const spans = ownSpans ?? exports?.spans;
  traffic.observers.push(elements);
  if (spans) traffic.observers.push(spans);
  if (accessLogger?.isLevelEnabled('info')) traffic.observers.push(new AccessLog(accessLogger));
  const pace = sandboxPace && {
    name: () => sandboxPace.name,
    change: (name: string) => changePace(sandboxPace, name, upstream),
  };
  // Until calls show what an instant sandbox takes, estimates would be those of a real service.
  pace?.change(pace.name());
  const graphiql = config.graphql.graphiql
    ? openGraphiql({ keyHeader: contract.data.key.header, demoKey, pace })
    : undefined;
  const answers = new UntakenAnswers(untaken, clients);
  const run = operationHandler({ pipeline, service, idempotency, documents, answers }, config);
  let isClosing = () => false;
  const fileParts = {
    pipeline,
    service,
    documents,
    answers,
    operations: places,
    isClosing: () => isClosing(),
    logger,
    spans,
  };
  const sendFile = fileEndpoint(fileParts, config);
  const parts = {
    contract,
    run,
    sendFile,
    operations: places,
    callers: upstream.callers,
    others,
    traffic,
    clientBodies,
    spooledFiles,
    logger,
    spans,
  };
  const graphql = graphqlEndpoint(parts, config);
  const { mediaEndpoint } = files ? await import('@gateway/media') : {};
  const media = files && mediaEndpoint?.({ files, upstream, answers }, config);
  const cors = corsFor(config.server.corsOrigins, contract.keyHeader, config.upstream.forwardHeaders, {
    servesMedia: config.media.proxy,
  });
  const { host, adminPort } = config.server;
  let readiness: Admin['readiness'] = () => 'starting';
  // The primary process answers for its workers.
  const admin =
    adminPort === undefined || sharedMetrics
      ? undefined
      : await startAdminThread({ host, port: adminPort }, { readiness: () => readiness(), metrics });
  const http = await listen({
    host,
    port: config.server.port,
    headersTimeout: config.limits.clients.headersTimeoutMs,
    requestTimeout: config.limits.uploads.timeoutMs,
    contract,
    cors,
    answers,
    maxConnections: config.limits.clients.connections,
    logger,
    handle: routes({
      graphql: graphql.handle,
      media,
      graphiql,
      metrics: adminPort === undefined ? metrics : undefined,
      cors,
    }),
    refusalOf: graphql.refusalOf,
    traffic,
  });

  readiness = () => (http.isStopping ? 'stopping' : 'ready');
  isClosing = () => http.isClosing;

  return {
    url: urlOf(host, http.port) + graphqlPath,
    adminUrl: admin && urlOf(host, admin.port),
    reload: () => documents.reload(),
    async close() {
      const cut = await http.close({ ...config.shutdown, idleMs: Math.min(config.shutdown.delayMs, proxyIdleMs) });
      admin?.close();
      await pipeline.stop();
      await files?.close();
      await upstream.close();
      await idempotency.close();
      await others.close();
      redis?.close();
      await exports?.close();
      if (cut > 0) logger.warn({ requests: cut }, 'Requests were cut, because shutdown.timeoutMs was over');
      return cut === 0;
    },
  };
}
