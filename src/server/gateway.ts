import type { Logger } from 'pino';
import type { OtherWorkers } from '../cluster/cache-invalidation.ts';
import type { Config } from '../config.ts';
import { openGraphiql } from '../graphiql/serve.ts';
import type { Service } from '../graphql/context.ts';
import { startPipeline } from '../graphql/pipeline.ts';
import { TrustedDocuments } from '../graphql/trusted-documents/trusted-documents.ts';
import { Idempotency } from '../idempotency/idempotency.ts';
import { openStore } from '../idempotency/open-store.ts';
import { Deadlines } from '../lib/deadlines.ts';
import { histogram, sizeBuckets } from '../lib/metrics.ts';
import { EntityKindCache } from '../loaders/entity-kind-cache.ts';
import { logAccess } from '../observability/access-log.ts';
import { openMetrics } from '../observability/metrics.ts';
import { Traffic } from '../observability/traffic.ts';
import { Upstream, type UpstreamOptions } from '../upstream/upstream.ts';
import { corsFor } from './cors.ts';
import { graphqlEndpoint, operationRunner } from './graphql-endpoint.ts';
import { listen } from './listen.ts';
import { graphqlPath, routes } from './routes.ts';

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

/** The real service shows a caller the transactions that it made itself, or those of its company where this says `all`. */
function productTransactionsBy(filter_by: string): UpstreamOptions['fixed'] {
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
  const upstream = new Upstream({
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
    circuitObserver: {
      onOpened(endpoint, cause) {
        const why = typeof cause === 'number' ? { upstream_status: cause } : { err: cause };
        logger.warn({ endpoint, ...why }, 'The service fails here: nothing is sent but probes, until it answers');
      },
      onClosed: () => logger.info('The service answers again'),
    },
    timeouts: {
      connect: config.UPSTREAM_CONNECT_TIMEOUT_MS,
      read: config.UPSTREAM_READ_TIMEOUT_MS,
      write: config.UPSTREAM_WRITE_TIMEOUT_MS,
      upload: config.UPSTREAM_UPLOAD_TIMEOUT_MS,
    },
    listCache: {
      ttl: config.CATALOG_TTL_MS,
      maxEntries: config.CATALOG_MAX_ENTRIES,
      maxBytes: config.CATALOG_MAX_BYTES,
    },
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
    upstream,
    entityKinds: new EntityKindCache(),
    batches: histogram('batch_size', 'Keys that were loaded together, by loader.', ['loader'], sizeBuckets),
    limits: {
      maxPageSize: config.MAX_PAGE_SIZE,
      maxUpstreamCalls: config.MAX_UPSTREAM_CALLS,
      maxCost: config.MAX_COST,
      maxObjects: config.MAX_OBJECTS,
      deadlines: new Deadlines(config.OPERATION_TIMEOUT_MS),
    },
    dialect: config.UPSTREAM_DIALECT,
    introspectionEnabled: config.INTROSPECTION,
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
  const run = operationRunner({ pipeline, service, idempotency, documents }, config);
  const graphql = graphqlEndpoint({ run, traffic }, config);
  const cors = corsFor(config);
  const http = await listen({
    host: config.HOST,
    port: config.PORT,
    headersTimeout: config.HEADERS_TIMEOUT_MS,
    requestTimeout: config.REQUEST_TIMEOUT_MS,
    cors,
    answerTimeout: config.ANSWER_TIMEOUT_MS,
    maxConnections: config.MAX_CONNECTIONS,
    logger,
    handle: routes({ graphql, graphiql, metrics, cors }),
    ended(request, status, method) {
      const outcome = traffic.end(request, status);
      if (outcome && accessLogger?.isLevelEnabled('info'))
        logAccess(accessLogger, request, { method, status, outcome });
    },
  });
  const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST;

  return {
    url: `http://${host}:${http.port}${graphqlPath}`,
    async close() {
      const cut = await http.close({ delay: config.SHUTDOWN_DELAY_MS, timeout: config.SHUTDOWN_TIMEOUT_MS });
      await pipeline.stop();
      await upstream.close();
      await idempotency.close();
      if (cut > 0) logger.warn({ requests: cut }, 'Requests were cut, because SHUTDOWN_TIMEOUT_MS was over');
      return cut === 0;
    },
  };
}
