import { setTimeout as delay } from 'node:timers/promises';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Call, CallLog } from './calls.ts';
import { basePaths, type Dialect, failureBody, htmlPage, successBody } from './dialect.ts';
import type { Endpoint } from './endpoint.ts';
import { type FailingCall, type Failures, refusalOf } from './failures.ts';
import type { Faults } from './faults.ts';
import { fieldErrorsOf } from './fields.ts';
import type { InvoiceFolder, ReceivedFile } from './invoices.ts';
import { callerOf } from './keys.ts';
import { serveMedia } from './media.ts';
import { Crash, Refusal, refused, UnknownPath } from './refusal.ts';
import { endpoints } from './resources.ts';
import { type Caller, Session } from './session.ts';
import { serveSignIn } from './sign-in.ts';
import type { Store } from './store.ts';
import type { Workers } from './workers.ts';

/** The state behind the routes. */
export interface Parts {
  store: Store;
  invoices: InvoiceFolder;
  calls: CallLog;
  faults: Faults;
  failures: Failures;
  /** Absent where answers come as fast as the sandbox can give them. */
  workers: Workers | undefined;
  dialect: Dialect;
  maxPageSize: number;
  shufflesTies: boolean;
  olderFilters: boolean;
  /** The life of an access token. */
  tokenSeconds: number;
  now: () => string;
  /** Uploads on their way. The sandbox closes after them. */
  uploads: Set<Promise<unknown>>;
  /** Another number after each reset. A call of an earlier one writes nothing more. */
  resets: number;
  log: (message: string) => void;
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const isMultipart = (request: FastifyRequest) => /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '');
const originOf = (request: FastifyRequest) => `http://${request.headers.host}`;
// The host of the client is left out, so that a malformed Host header does not matter.
const urlOf = (request: FastifyRequest) => new URL(request.url, 'http://sandbox');

export function buildHttp(parts: Parts): FastifyInstance {
  const { dialect, calls, failures, log } = parts;
  const basePath = basePaths[dialect];
  const callOf = new WeakMap<FastifyRequest, Call>();
  const callers = new WeakMap<FastifyRequest, Caller>();
  const resetsBefore = new WeakMap<FastifyRequest, number>();
  const app = Fastify({
    forceCloseConnections: true,
    bodyLimit: 10 * 2 ** 20,
    routerOptions: { maxParamLength: 1000 },
    frameworkErrors: (_error, _request, reply) => failed(reply, dialect, new UnknownPath()),
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) =>
    done(null, parseJson(text)),
  );
  // The endpoint that takes the file streams it.
  app.addContentTypeParser('multipart/form-data', (_request, payload, done) => done(null, payload));

  app.addHook('onRequest', async (request) => {
    if (!request.url.startsWith(`${basePath}/`)) return;
    const { method, headers } = request;
    const path = request.url.slice(basePath.length);
    callOf.set(request, calls.add({ method, path, template: '', endpoint: '', status: 0, headers }));
    resetsBefore.set(request, parts.resets);
    parts.faults.requireKnown(headers);
    const status = parts.faults.statusFor(path, headers);
    if (status) throw refused(status, 'Failed on demand.');
  });
  app.addHook('preHandler', async (request) => {
    const call = callOf.get(request);
    if (call && request.body !== undefined && !isMultipart(request)) call.body = request.body;
  });
  // The sandbox works at once, and holds the answer back until a worker of the real service would have it.
  const hold = async (request: FastifyRequest, reply: FastifyReply, status = reply.statusCode) => {
    const call = callOf.get(request);
    if (!call) return;
    call.status = status;
    const now = performance.now();
    const workedMs = (parts.workers?.answerAt(call, now - reply.elapsedTime) ?? now) - now;
    const waitMs = Math.max(0, workedMs) + parts.faults.delayOf(request.headers);
    if (waitMs > 0) await delay(waitMs, undefined, { ref: false });
    if (call.endpoint !== '') await failures.delayed(call.endpoint, failingCallOf(request));
  };
  app.addHook('onSend', (request, reply) => hold(request, reply));
  app.setErrorHandler((error, _request, reply) => failed(reply, dialect, error, log));

  const served = endpoints.filter((endpoint) => (endpoint.dialect ?? dialect) === dialect);
  const byTemplate = Map.groupBy(served, ({ template }) => template);
  const slashless = [...byTemplate.keys()].map((template) => template.replace('{hashid}', '[^/]+').slice(0, -1));
  const lacksSlash = new RegExp(`^${basePath}(${slashless.join('|')})$`);
  // A route for each path without its slash would make a start a third longer.
  app.setNotFoundHandler((request, reply) => {
    const { pathname, search } = urlOf(request);
    if (!lacksSlash.test(pathname)) throw new UnknownPath();
    return reply.code(301).header('location', `${pathname}/${search}`).type('text/html').send('');
  });
  for (const [template, ofPath] of byTemplate) {
    const path = basePath + template.replace('{hashid}', ':hashid');
    app.route({
      method: methods,
      url: path,
      onRequest: async (request) => {
        const call = callOf.get(request);
        if (call) {
          call.template = template;
          call.endpoint = ofPath.find(({ method }) => method === request.method)?.name ?? '';
        }
        callers.set(request, check(request, ofPath, parts));
      },
      handler: async (request, reply) => {
        const endpoint = ofPath.find(({ method }) => method === request.method)!;
        const call = callOf.get(request);
        const caller = callers.get(request) as Caller;
        const rule = failures.failureOf(endpoint.name, failingCallOf(request));
        const { failure } = rule ?? {};
        if (failure === 'disconnect') return hangUp(reply);
        if (failure === 'html') return html(reply, 200, 'Welcome');
        const refusalOnDemand = rule && refusalOf(rule);
        if (refusalOnDemand) throw refusalOnDemand;
        const isCurrent = () => resetsBefore.get(request) === parts.resets;
        const { status, data, detail } = await answer(endpoint, request, { ...parts, caller, isCurrent }, call);
        const { results } = data as { results?: unknown[] };
        if (call && results) call.rows = results.length;
        const body = successBody(dialect, status, data, detail);
        if (failure === 'lost-answer' || failure === 'cut-answer') {
          await hold(request, reply, status);
          return failure === 'lost-answer' ? hangUp(reply) : cut(reply, status, body);
        }
        return reply
          .code(status)
          .type(failure === 'wrong-type' ? 'text/plain' : 'application/json')
          .send(body);
      },
    });
  }

  serveSignIn(app, parts);
  serveMedia(app, parts.invoices);
  app.get('/__sandbox/calls', async () => calls.summary());
  app.delete('/__sandbox/calls', async (_request, reply) => {
    calls.clear();
    return reply.code(204).send();
  });
  return app;
}

/** Checks key, Accept header, method and media type, in the order of the real service. */
function check(request: FastifyRequest, ofPath: readonly Endpoint[], { dialect, store }: Parts): Caller {
  if ((request.params as { hashid?: string }).hashid === '') throw new UnknownPath();
  const caller = callerOf(request.headers.authorization, store);
  if (!caller) throw unauthenticated(request, dialect);
  const accept = request.headers.accept ?? '*/*';
  if (dialect === 'connect' && !/(\*|application)\/(\*|json)/.test(accept)) {
    throw refused(406, 'Could not satisfy the request Accept header.');
  }
  const endpoint = ofPath.find(({ method }) => method === request.method);
  if (!endpoint) throw refused(405, `Method "${request.method}" not allowed.`);
  if (isMultipart(request) && !endpoint.streams) throw unsupported(request);
  return caller;
}

function unauthenticated(request: FastifyRequest, dialect: Dialect): Refusal {
  if (dialect === 'spec') return refused(401, 'Authentication credentials were not provided.');
  if (!request.headers.authorization?.startsWith('Bearer ')) {
    return refused(403, 'Authentication credentials were not provided.');
  }
  return new Refusal(403, {
    detail: 'Given token not valid for any token type',
    code: 'token_not_valid',
    messages: [{ token_class: 'AccessToken', token_type: 'access', message: 'Token is invalid or expired' }],
  });
}

const unsupported = (request: FastifyRequest) =>
  refused(415, `Unsupported media type "${request.headers['content-type'] ?? ''}" in request.`);

function answer(
  endpoint: Endpoint,
  request: FastifyRequest,
  parts: Parts & { caller: Caller; isCurrent: () => boolean },
  call: Call | undefined,
) {
  const { store, dialect, caller, isCurrent, maxPageSize, shufflesTies, olderFilters, now, invoices, uploads } = parts;
  const requireCurrent = () => {
    if (!isCurrent()) throw refused(503, 'The sandbox was reset meanwhile.');
  };
  requireCurrent();
  const { pathname, searchParams } = urlOf(request);
  const session = new Session({
    store,
    dialect,
    caller,
    origin: originOf(request),
    language: request.headers['accept-language'] ?? '',
    now,
  });
  const work = () =>
    endpoint.answer(session, {
      id: (request.params as { hashid?: string }).hashid ?? '',
      path: pathname,
      query: searchParams,
      maxPageSize,
      shufflesTies,
      olderFilters,
      body: request.body ?? {},
      receiveFile: async (field) => {
        const received = await invoices.receive(request.raw, field, dialect, requireCurrent).finally(requireCurrent);
        noteFile(call, received);
        return received;
      },
    });
  if (endpoint.method === 'GET') return work();
  if (!endpoint.streams) return store.transaction(work);
  const upload = Promise.resolve(work()).finally(() => uploads.delete(upload));
  uploads.add(upload);
  return upload;
}

function failingCallOf(request: FastifyRequest): FailingCall {
  const { hashid = '' } = request.params as { hashid?: string };
  return { id: hashid, query: urlOf(request).searchParams, body: isMultipart(request) ? undefined : request.body };
}

function hangUp(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}

/** Sends half of the body, and closes the connection. */
function cut(reply: FastifyReply, status: number, text: string): FastifyReply {
  const body = Buffer.from(text);
  reply.hijack();
  reply.raw.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length });
  reply.raw.write(body.subarray(0, Math.floor(body.length / 2)), () => reply.raw.destroy());
  return reply;
}

function noteFile(call: Call | undefined, { path: _path, ...file }: ReceivedFile): void {
  if (call) call.file = file;
}

function parseJson(text: string | Buffer): unknown {
  try {
    return text.length === 0 ? {} : JSON.parse(String(text));
  } catch (error) {
    throw refused(400, `JSON parse error - ${error instanceof Error ? error.message : error}`);
  }
}

function failed(reply: FastifyReply, dialect: Dialect, error: unknown, log = (_message: string) => {}): FastifyReply {
  if (error instanceof Crash) return html(reply, 500, 'Server Error (500)');
  if (error instanceof UnknownPath) {
    return dialect === 'connect' ? html(reply, 404, 'Not Found') : refusal(reply, dialect, refused(404, 'Not found.'));
  }
  const errors = fieldErrorsOf(error);
  if (errors) return refusal(reply, dialect, new Refusal(400, errors));
  if (error instanceof Refusal) return refusal(reply, dialect, error);
  const {
    statusCode: status = 500,
    code = '',
    stack = '',
  } = error as { statusCode?: number; code?: string; stack?: string };
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return refusal(reply, dialect, unsupported(reply.request));
  if (status < 500) return refusal(reply, dialect, refused(status, String((error as Error).message)));
  log(stack);
  return refusal(reply, dialect, refused(500, 'The sandbox failed; this is a fault of its own.'));
}

function refusal(reply: FastifyReply, dialect: Dialect, { status, body, retryAfter }: Refusal): FastifyReply {
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  return reply
    .code(status)
    .type('application/json')
    .send(failureBody(dialect, status, body));
}

function html(reply: FastifyReply, status: number, title: string): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(htmlPage(title));
}
