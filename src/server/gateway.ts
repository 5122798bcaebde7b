import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { OtherWorkers } from '../cluster/cache-invalidation.ts';
import type { Config } from '../config.ts';
import { openGraphiql } from '../graphiql/serve.ts';
import type { Service } from '../graphql/context.ts';
import { codedError } from '../graphql/errors/codes.ts';
import { startPipeline } from '../graphql/pipeline.ts';
import { TrustedDocuments } from '../graphql/trusted-documents/trusted-documents.ts';
import { Idempotency } from '../idempotency/idempotency.ts';
import { openStore } from '../idempotency/open-store.ts';
import { Deadlines } from '../lib/deadlines.ts';
import { counter, histogram, sizeBuckets } from '../lib/metrics.ts';
import { EntityKindCache } from '../loaders/entity-kind-cache.ts';
import { logAccess } from '../observability/access-log.ts';
import type { CurrentRequest } from '../observability/current-request.ts';
import { openMetrics } from '../observability/metrics.ts';
import { Traffic } from '../observability/traffic.ts';
import { discardBody } from '../uploads/request-body.ts';
import { RestClient, type RestClientOptions } from '../upstream/client.ts';
import { Upstream } from '../upstream/upstream.ts';
import { declaresBody } from './body.ts';
import { corsFor } from './cors.ts';
import type { Drain } from './drain.ts';
import { graphqlEndpoint, operationRunner } from './graphql-endpoint.ts';
import { listen } from './listen.ts';
import { pathOf } from './path.ts';
import { json, plainText, send, sendMethodNotAllowed } from './response.ts';

export interface Gateway {
  /** Where GraphQL is served, and GraphiQL in a browser. */
  url: string;
  /**
   * Says that it is not ready, takes requests for the shutdown delay, answers those it has, then closes; after the
   * shutdown timeout they are cut. False where some were.
   */
  close(): Promise<boolean>;
}

export interface GatewayOptions {
  config: Config;
  upstreamUrl: string;
  /** What the service is called after every restart, where its URL is another one each time. */
  serviceName?: string;
  /** Its Authorization is the key that GraphiQL opens with. */
  graphiqlHeaders: Record<string, string>;
  logger: Logger;
  /** Hears of each operation; absent where they are not logged. */
  accessLogger?: Logger | undefined;
  /** Absent where one process serves alone. */
  others?: OtherWorkers;
  /** The metrics of all processes, where this one does not serve alone. */
  metricsOfAll?: () => Promise<string>;
}

const endpoint = '/graphql';
/** What is answered to the end, and read only. */
const adminPaths: ReadonlySet<string> = new Set(['/health/live', '/health/ready', '/metrics']);

/** The real service shows a caller the transactions that it made itself, or those of its company where this says `all`. */
function productTransactionsBy(filter_by: string): RestClientOptions['fixed'] {
  return { listProductTransactions: { filter_by }, getProductTransaction: { filter_by } };
}

export async function startGateway({
  config,
  upstreamUrl,
  serviceName = upstreamUrl,
  graphiqlHeaders,
  logger,
  accessLogger,
  others,
  metricsOfAll,
}: GatewayOptions): Promise<Gateway> {
  const documents = new TrustedDocuments(config, logger);
  const rest = new RestClient({
    url: upstreamUrl,
    dateTimes: config.UPSTREAM_DIALECT === 'connect' ? 'unix' : 'iso',
    filters: config.FILTERS,
    ...(config.PRODUCT_TRANSACTIONS_FILTER_BY && {
      fixed: productTransactionsBy(config.PRODUCT_TRANSACTIONS_FILTER_BY),
    }),
    connections: config.UPSTREAM_CONNECTIONS,
    connectionsPerCaller: config.UPSTREAM_CONNECTIONS_PER_CALLER,
    breaker: {
      calls: config.UPSTREAM_BREAKER_CALLS,
      share: config.UPSTREAM_BREAKER_SHARE,
      pause: config.UPSTREAM_BREAKER_PAUSE_MS,
    },
    onCircuitOpened(endpoint, cause) {
      const why = typeof cause === 'number' ? { upstream_status: cause } : { err: cause };
      logger.warn({ endpoint, ...why }, 'The service fails here: nothing is sent but probes, until it answers');
    },
    onCircuitClosed: () => logger.info('The service answers again'),
    timeouts: {
      connect: config.UPSTREAM_CONNECT_TIMEOUT_MS,
      read: config.UPSTREAM_READ_TIMEOUT_MS,
      write: config.UPSTREAM_WRITE_TIMEOUT_MS,
      upload: config.UPSTREAM_UPLOAD_TIMEOUT_MS,
    },
  });
  const upstream = new Upstream(rest, {
    ttl: config.CATALOG_TTL_MS,
    maxEntries: config.CATALOG_MAX_ENTRIES,
    maxBytes: config.CATALOG_MAX_BYTES,
    retries: {
      maxRetries: config.UPSTREAM_RETRIES,
      base: config.UPSTREAM_RETRY_BASE_MS,
      cap: config.UPSTREAM_RETRY_CAP_MS,
      share: config.UPSTREAM_RETRY_SHARE,
    },
    broadcast: others?.broadcast,
  });
  others?.listen((keyDigest, endpoint) => upstream.invalidate(keyDigest, endpoint));
  const service: Service = {
    rest,
    upstream: upstream,
    saved: counter('upstream_saved_total', 'Calls that were not needed, by where the answer came from.', [
      'endpoint',
      'by',
    ]),
    batches: histogram('batch_size', 'Keys that were loaded together, by loader.', ['loader'], sizeBuckets),
    cachesLists: config.CATALOG_TTL_MS > 0,
    entityKinds: new EntityKindCache(),
    dialect: config.UPSTREAM_DIALECT,
    maxPageSize: config.MAX_PAGE_SIZE,
    maxUpstreamCalls: config.MAX_UPSTREAM_CALLS,
    maxCost: config.MAX_COST,
    maxObjects: config.MAX_OBJECTS,
    introspectionEnabled: config.INTROSPECTION,
    deadlines: new Deadlines(config.OPERATION_TIMEOUT_MS),
  };
  const pipeline = await startPipeline({
    maxTokens: config.MAX_TOKENS,
    maxDepth: config.MAX_DEPTH,
    maxSelections: config.MAX_SELECTIONS,
    maxRootFields: config.MAX_ROOT_FIELDS,
    maxAliases: config.MAX_ALIASES,
    maxDirectives: config.MAX_DIRECTIVES,
    maxDirectivesPerNode: config.MAX_DIRECTIVES_PER_NODE,
    introspection: config.INTROSPECTION,
    logger,
  });

  const idempotency = new Idempotency(await openStore(config, logger), logger, serviceName);
  const traffic = new Traffic();
  const metrics = openMetrics({ traffic, service, idempotency, documents }, metricsOfAll);
  const graphiql = config.GRAPHIQL ? openGraphiql({ headers: graphiqlHeaders }) : undefined;
  const graphql = graphqlEndpoint(
    {
      traffic,
      run: operationRunner({ pipeline, service, idempotency, documents }, config),
      async page(_request, response) {
        if (graphiql) return send(response, 200, graphiql.headers, graphiql.page());
        // The same address has another answer for who asks for one, so what is kept of this must not stand for it.
        send(
          response,
          406,
          { ...plainText, vary: 'Accept, Origin' },
          'This is a GraphQL API: send queries by POST, as JSON.\n',
        );
      },
    },
    config,
  );
  const cors = corsFor(config);

  async function route(
    request: IncomingMessage,
    response: ServerResponse,
    { current, drain }: { current: CurrentRequest; drain: Drain },
  ): Promise<void> {
    const path = pathOf(request);
    if (drain.isClosing && !adminPaths.has(path)) {
      throw codedError('OVERLOADED', 'The gateway is shutting down.', { retry_after: 1, http: { status: 503 } });
    }
    if (path === endpoint) {
      if (cors?.answerPreflight(request, response)) return;
      return graphql(request, response, current);
    }
    if (declaresBody(request)) discardBody(request);
    if (request.method === 'GET' || request.method === 'HEAD') {
      if (path === '/health/live') return send(response, 200, json, '{"status":"live"}');
      // A service that is down is no reason: all gateways would be taken out at once, and nobody told of it.
      if (path === '/health/ready') {
        if (drain.isStopping) return send(response, 503, json, '{"status":"stopping"}');
        return send(response, 200, json, '{"status":"ready"}');
      }
      if (path === '/metrics') {
        return send(response, 200, { 'content-type': metrics.contentType }, await metrics.text());
      }
      if (graphiql && path.startsWith(graphiql.assets)) {
        response.setHeader('x-request-id', current.id);
        return graphiql.sendAsset(path.slice(graphiql.assets.length), request, response, () => notFound(response));
      }
    } else if (adminPaths.has(path) || (graphiql && path.startsWith(graphiql.assets))) {
      return sendMethodNotAllowed(response, 'GET, HEAD');
    }
    notFound(response);
  }

  const http = await listen({
    host: config.HOST,
    port: config.PORT,
    headersTimeout: config.HEADERS_TIMEOUT_MS,
    requestTimeout: config.REQUEST_TIMEOUT_MS,
    cors,
    answerTimeout: config.ANSWER_TIMEOUT_MS,
    maxConnections: config.MAX_CONNECTIONS,
    logger,
    handle: route,
    ended(request, status, method) {
      const outcome = traffic.end(request, status);
      if (outcome && accessLogger?.isLevelEnabled('info'))
        logAccess(accessLogger, request, { method, status, outcome });
    },
  });
  const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST;

  return {
    url: `http://${host}:${http.port}${endpoint}`,
    async close() {
      const cut = await http.close({ delay: config.SHUTDOWN_DELAY_MS, timeout: config.SHUTDOWN_TIMEOUT_MS });
      await pipeline.stop();
      upstream.close();
      await rest.close();
      await idempotency.close();
      if (cut > 0) logger.warn({ requests: cut }, 'Requests were cut, because SHUTDOWN_TIMEOUT_MS was over');
      return cut === 0;
    },
  };
}

function notFound(response: ServerResponse): void {
  send(response, 404, plainText, `Nothing is served here; GraphQL is at ${endpoint}.\n`);
}
