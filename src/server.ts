import type { AddressInfo } from 'node:net';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { startApollo } from './apollo.ts';
import type { Config } from './config.ts';
import { Context, type Service } from './context.ts';
import { drainOnClose } from './drain.ts';
import { errorFormatter } from './error-format.ts';
import { codedError } from './errors.ts';
import type { OtherWorkers } from './forgetting.ts';
import { registerGraphiql } from './graphiql/serve.ts';
import {
  callerHeaders,
  fromFastify,
  graphqlRequest,
  isMultipart,
  jsonBody,
  prefersPage,
  requireAcceptable,
  requirePreflight,
  statusOf,
} from './http.ts';
import { KindMemory } from './loaders/kind-memory.ts';
import { readMultipart } from './multipart/multipart.ts';
import { discardBody } from './multipart/request-body.ts';
import { callerOf } from './reads/caller.ts';
import { Reads } from './reads/reads.ts';
import { requestId } from './request-id.ts';
import { RestClient, type RestClientOptions } from './rest/client.ts';

export interface Gateway {
  /** Where GraphQL is served, and GraphiQL in a browser. */
  url: string;
  /** Takes no new requests, answers those it has, then closes; after the shutdown timeout they are cut. */
  close(): Promise<void>;
}

export interface GatewayOptions {
  config: Config;
  upstreamUrl: string;
  /** What GraphiQL opens with in its headers editor. */
  graphiqlHeaders: Record<string, string>;
  logger: Logger;
  /** Absent where one process serves alone. */
  others?: OtherWorkers;
}

const endpoint = '/graphql';
/** `true` asks for `extensions.upstream`: what the operation cost the service. */
const traceHeader = 'x-trace-upstream';
/** What one caller may see is kept by nobody on the way; browsers get a page at the same address. */
const privateAnswer = { 'cache-control': 'no-store', vary: 'Accept' };

/** The real service shows a caller the transactions that it made itself, or those of its company where this says `all`. */
function productTransactionsBy(filter_by: string): RestClientOptions['fixed'] {
  return { listProductTransactions: { filter_by }, getProductTransaction: { filter_by } };
}

export async function startGateway({
  config,
  upstreamUrl,
  graphiqlHeaders,
  logger,
  others,
}: GatewayOptions): Promise<Gateway> {
  const rest = new RestClient({
    url: upstreamUrl,
    dateTimes: config.UPSTREAM_DIALECT === 'connect' ? 'unix' : 'iso',
    filters: config.FILTERS,
    ...(config.PRODUCT_TRANSACTIONS_FILTER_BY && {
      fixed: productTransactionsBy(config.PRODUCT_TRANSACTIONS_FILTER_BY),
    }),
    connections: config.UPSTREAM_CONNECTIONS,
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
    tellOthers: others?.tell,
  });
  others?.hear((keyDigest, operation) => reads.forget(keyDigest, operation));
  const service: Service = {
    rest,
    reads,
    keepsCatalogs: config.CATALOG_TTL_MS > 0,
    kinds: new KindMemory(),
    dialect: config.UPSTREAM_DIALECT,
    maxPageSize: config.MAX_PAGE_SIZE,
    maxUpstreamCalls: config.MAX_UPSTREAM_CALLS,
    maxObjects: config.MAX_OBJECTS,
  };
  const apollo = await startApollo({
    maxTokens: config.MAX_TOKENS,
    maxDepth: config.MAX_DEPTH,
    maxSelections: config.MAX_SELECTIONS,
    logger,
  });

  const app: FastifyInstance = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.MAX_BODY_BYTES,
    // A caller's own id is kept, so that its logs and ours can be read together; it goes into logs and headers as it is.
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : crypto.randomUUID();
    },
    // Node holds requests to these only while headersTimeout is the smaller one, once in connectionsCheckingInterval.
    requestTimeout: 300_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000 },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null));
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    requestId.run(request.id, done);
  });
  const close = drainOnClose(app);
  const formatError = errorFormatter(logger);
  app.setErrorHandler((error, _request, reply) => sendError(reply, error));
  app.setNotFoundHandler((_request, reply) => {
    reply.code(404).type('text/plain').send(`Nothing is served here; GraphQL is at ${endpoint}.\n`);
  });

  const graphiql = await registerGraphiql(app, { headers: graphiqlHeaders });
  app.get(endpoint, { exposeHeadRoute: false }, (request, reply) => {
    if (prefersPage(request)) return reply.headers(graphiql.headers).send(graphiql.page());
    return answer(request, reply, undefined);
  });
  app.post(endpoint, async (request, reply) => {
    if (isMultipart(request)) return answerMultipart(request, reply);
    // An answer that the client cannot take is no answer: what it asked for must not have happened by then.
    requireAcceptable(request);
    return answer(request, reply, jsonBody(request));
  });
  app.route({
    method: ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: endpoint,
    handler: (_request, reply) =>
      reply.code(405).header('allow', 'GET, POST').type('text/plain').send('GraphQL takes GET and POST.\n'),
  });

  let isReady = false;
  app.get('/health/live', () => ({ status: 'live' }));
  app.get('/health/ready', (_request, reply) =>
    reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready' }),
  );

  async function answerMultipart(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    try {
      requireAcceptable(request);
      requirePreflight(request);
    } catch (error) {
      discardBody(request.raw);
      throw error;
    }
    const multipart = await readMultipart(request.raw, {
      maxFileBytes: config.MAX_UPLOAD_BYTES,
      maxFieldBytes: config.MAX_BODY_BYTES,
      idleMs: config.BODY_IDLE_TIMEOUT_MS,
    });
    try {
      return await answer(request, reply, multipart.operations);
    } finally {
      await multipart.finish();
    }
  }

  async function answer(request: FastifyRequest, reply: FastifyReply, body: unknown): Promise<FastifyReply> {
    requireAcceptable(request);
    const context = new Context(service, callerOf(callerHeaders(request, config.FORWARD_HEADERS)), {
      trace: request.headers[traceHeader] === 'true',
      isFresh: /\bno-(cache|store)\b/i.test(request.headers['cache-control'] ?? ''),
    });
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) context.leave(codedError('BAD_REQUEST', 'The client has left.'));
    });
    const response = await apollo.execute(graphqlRequest(request, body), context);
    for (const [name, value] of response.headers) reply.header(name, value);
    // As bytes, the answer leaves in one piece with its headers; as text, it is turned into bytes once more on the way.
    return reply.code(response.status).headers(privateAnswer).send(Buffer.from(response.body));
  }

  function sendError(reply: FastifyReply, error: unknown): FastifyReply {
    const known = fromFastify(error) ?? error;
    // What is left of a refused body would be read as the next request of this connection. The reader of multipart
    // bodies sees to that itself: closing would reset a client that still sends, before it has read the answer.
    if (!reply.request.raw.complete && !isMultipart(reply.request)) reply.header('connection', 'close');
    const message = known instanceof Error ? known.message : '';
    return reply
      .code(statusOf(known))
      .type('application/json; charset=utf-8')
      .send({ errors: [formatError({ message }, known)] });
  }

  await app.listen({ host: config.HOST, port: config.PORT });
  isReady = true;
  const { port } = app.server.address() as AddressInfo;
  const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST;

  return {
    url: `http://${host}:${port}${endpoint}`,
    async close() {
      isReady = false;
      await close(config.SHUTDOWN_TIMEOUT_MS);
      await apollo.stop();
      reads.close();
      await rest.close();
    },
  };
}
