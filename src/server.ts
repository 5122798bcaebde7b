import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { startApollo } from './apollo.ts';
import type { Config } from './config.ts';
import type { Service } from './context.ts';
import type { OtherWorkers } from './forgetting.ts';
import { openGraphiql } from './graphiql/serve.ts';
import { answer, answerOtherMethod, json, plainText } from './http/answer.ts';
import { declaresBody } from './http/body.ts';
import { corsFor } from './http/cors.ts';
import { graphqlEndpoint, operationRunner } from './http/graphql.ts';
import { listen } from './http/listen.ts';
import { pathOf } from './http/path.ts';
import { Idempotency } from './idempotency/idempotency.ts';
import { openStore } from './idempotency/open-store.ts';
import { KindMemory } from './loaders/kind-memory.ts';
import { openMetrics } from './metrics.ts';
import { discardBody } from './multipart/request-body.ts';
import { Reads } from './reads/reads.ts';
import { requestId } from './request-id.ts';
import { RestClient, type RestClientOptions } from './rest/client.ts';
import { Deadlines } from './rest/deadlines.ts';

export interface Gateway {
  /** Where GraphQL is served, and GraphiQL in a browser. */
  url: string;
  /** Takes no new requests, answers those it has, then closes; after the shutdown timeout they are cut. */
  close(): Promise<void>;
}

export interface GatewayOptions {
  config: Config;
  upstreamUrl: string;
  /** What the service is called after every restart, where its URL is another one each time. */
  serviceName?: string;
  /** What GraphiQL opens with in its headers editor. */
  graphiqlHeaders: Record<string, string>;
  logger: Logger;
  /** Absent where one process serves alone. */
  others?: OtherWorkers;
  /** The metrics of all processes, where this one does not serve alone. */
  metricsOfAll?: () => Promise<string>;
}

const endpoint = '/graphql';
/** What is read, beside GraphiQL's assets. */
const readOnly = ['/health/live', '/health/ready', '/metrics'];

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
  others,
  metricsOfAll,
}: GatewayOptions): Promise<Gateway> {
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
    timeouts: {
      connect: config.UPSTREAM_CONNECT_TIMEOUT_MS,
      read: config.UPSTREAM_READ_TIMEOUT_MS,
      write: config.UPSTREAM_WRITE_TIMEOUT_MS,
      upload: config.UPSTREAM_UPLOAD_TIMEOUT_MS,
    },
  });
  const reads = new Reads(rest, {
    ttl: config.CATALOG_TTL_MS,
    maxEntries: config.CATALOG_MAX_ENTRIES,
    maxBytes: config.CATALOG_MAX_BYTES,
    retries: {
      maxRetries: config.UPSTREAM_RETRIES,
      base: config.UPSTREAM_RETRY_BASE_MS,
      cap: config.UPSTREAM_RETRY_CAP_MS,
      share: config.UPSTREAM_RETRY_SHARE,
    },
    tellOthers: others?.tell,
  });
  others?.hear((keyDigest, operation) => reads.forget(keyDigest, operation));
  const metrics = openMetrics(reads, metricsOfAll);
  const service: Service = {
    rest,
    reads,
    keepsCatalogs: config.CATALOG_TTL_MS > 0,
    kinds: new KindMemory(),
    dialect: config.UPSTREAM_DIALECT,
    maxPageSize: config.MAX_PAGE_SIZE,
    maxUpstreamCalls: config.MAX_UPSTREAM_CALLS,
    maxCost: config.MAX_COST,
    maxObjects: config.MAX_OBJECTS,
    tellsSchema: config.INTROSPECTION,
    deadlines: new Deadlines(config.OPERATION_TIMEOUT_MS),
  };
  const apollo = await startApollo({
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
  const graphiql = config.GRAPHIQL ? openGraphiql({ headers: graphiqlHeaders }) : undefined;
  const graphql = graphqlEndpoint(
    {
      run: operationRunner({ apollo, service, idempotency }, config),
      async page(_request, response) {
        if (graphiql) return answer(response, 200, graphiql.headers, graphiql.page());
        // The same address has another answer for who asks for one, so what is kept of this must not stand for it.
        answer(
          response,
          406,
          { ...plainText, vary: 'Accept' },
          'This is a GraphQL API: send queries by POST, as JSON.\n',
        );
      },
    },
    config,
  );
  const cors = corsFor(config);

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request);
    if (path === endpoint) {
      if (cors?.answerPreflight(request, response)) return;
      return graphql(request, response);
    }
    if (declaresBody(request)) discardBody(request);
    if (request.method === 'GET' || request.method === 'HEAD') {
      if (path === '/health/live') return answer(response, 200, json, '{"status":"live"}');
      // While the gateway is closing, no request comes as far as here.
      if (path === '/health/ready') return answer(response, 200, json, '{"status":"ready"}');
      if (path === '/metrics') {
        return answer(response, 200, { 'content-type': metrics.contentType }, await metrics.text());
      }
      if (graphiql && path.startsWith(graphiql.assets)) {
        response.setHeader('x-request-id', requestId.getStore() ?? '');
        return graphiql.sendAsset(path.slice(graphiql.assets.length), request, response, () => notFound(response));
      }
    } else if (readOnly.includes(path) || (graphiql && path.startsWith(graphiql.assets))) {
      return answerOtherMethod(response, 'GET, HEAD');
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
  });
  const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST;

  return {
    url: `http://${host}:${http.port}${endpoint}`,
    async close() {
      await http.close(config.SHUTDOWN_TIMEOUT_MS);
      await apollo.stop();
      reads.close();
      await rest.close();
      await idempotency.close();
    },
  };
}

function notFound(response: ServerResponse): void {
  answer(response, 404, plainText, `Nothing is served here; GraphQL is at ${endpoint}.\n`);
}
