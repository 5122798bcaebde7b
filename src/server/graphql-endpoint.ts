import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Config } from '../config.ts';
import { Context, type Service } from '../graphql/context.ts';
import { codedError } from '../graphql/errors/codes.ts';
import { idempotencyHeader, traceHeader } from '../graphql/header-names.ts';
import type { Pipeline } from '../graphql/pipeline.ts';
import type { TrustedDocuments } from '../graphql/trusted-documents/trusted-documents.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import { Deadlines } from '../lib/deadlines.ts';
import type { CurrentRequest } from '../observability/current-request.ts';
import type { Traffic } from '../observability/traffic.ts';
import { readMultipart } from '../uploads/multipart.ts';
import { discardBody } from '../uploads/request-body.ts';
import { callerOf } from '../upstream/caller.ts';
import { declaresBody, hasSmallBody, isMultipart, readText, requireJson, requirePlain, requireSize } from './body.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { askForBody } from './expect-continue.ts';
import { refuse } from './overloaded.ts';
import {
  callerHeaders,
  graphqlRequest,
  parseText,
  prefersPage,
  requireAcceptable,
  requirePreflight,
} from './request.ts';
import { send, sendMethodNotAllowed, sendUnlessUnchanged } from './response.ts';
import { traceContextHeaders } from './trace-context.ts';

/** What one caller may see is kept by nobody on the way; browsers get a page at the same address. */
const privateAnswer = { 'cache-control': 'no-store', vary: 'Accept, Origin' };

export type Handler = (request: IncomingMessage, response: ServerResponse, current: CurrentRequest) => Promise<void>;

/** Answers a request whose body has been read and parsed; it is undefined for GET. */
export type Run = (
  request: IncomingMessage,
  response: ServerResponse,
  current: CurrentRequest,
  body: unknown,
) => Promise<void>;

export interface EndpointParts {
  run: Run;
  /** What a browser gets that opens the address. */
  page: Handler;
  traffic: Traffic;
}

/** GraphQL over HTTP. Throws an error that is the answer. */
export function graphqlEndpoint({ run, page, traffic }: EndpointParts, config: Config): Handler {
  const operations = new ConcurrencyLimit({
    running: config.MAX_OPERATIONS,
    waiting: config.MAX_QUEUED_OPERATIONS,
    timeout: config.QUEUE_TIMEOUT_MS,
  });
  traffic.queue = operations;
  // A file takes as long as its client needs to send it: many slow ones must not keep operations waiting.
  const uploads = new ConcurrencyLimit({ running: config.MAX_UPLOADS, waiting: 0, timeout: config.QUEUE_TIMEOUT_MS });
  const bodies = new Deadlines(config.BODY_TIMEOUT_MS);

  return async function handle(request, response, current) {
    if (request.method === 'POST') return post(request, response, current);
    // Nothing else takes a body. One that is left alone would be read to its end, however long.
    if (declaresBody(request)) discardBody(request);
    if (request.method !== 'GET') return sendMethodNotAllowed(response, 'GET, POST');
    return prefersPage(request) ? page(request, response, current) : get(request, response, current);
  };

  // An answer that the client cannot take is no answer: what it asked for must not have happened by then.
  async function get(request: IncomingMessage, response: ServerResponse, current: CurrentRequest): Promise<void> {
    traffic.begin(current);
    requireAcceptable(request);
    return runInTurn(request, response, current);
  }

  async function post(request: IncomingMessage, response: ServerResponse, current: CurrentRequest): Promise<void> {
    traffic.begin(current);
    if (isMultipart(request)) return postForm(request, response, current);
    if (operations.isFull && hasSmallBody(request)) return refuse(response, current);
    requirePlain(request);
    requireJson(request);
    requireSize(request, config.MAX_BODY_BYTES);
    // A body that comes anyway is read before it is refused: so the connection can be used again.
    if (request.headers.expect !== undefined) requireAcceptable(request);
    askForBody(response);
    const text = await readText(request, config.MAX_BODY_BYTES, bodies);
    requireAcceptable(request);
    return runInTurn(request, response, current, text);
  }

  async function runInTurn(
    request: IncomingMessage,
    response: ServerResponse,
    current: CurrentRequest,
    text?: string,
  ): Promise<void> {
    if (!operations.enter() && !(await operations.wait(response))) return;
    try {
      await run(request, response, current, text === undefined ? undefined : parseText(text));
    } finally {
      operations.leave();
    }
  }

  async function postForm(request: IncomingMessage, response: ServerResponse, current: CurrentRequest): Promise<void> {
    current.fileBytes = 0;
    try {
      requirePlain(request);
      requireAcceptable(request);
      requirePreflight(request);
      if (!uploads.enter() && !(await uploads.wait(response))) return;
    } catch (error) {
      discardBody(request);
      throw error;
    }
    try {
      await runForm(request, response, current);
    } finally {
      uploads.leave();
    }
  }

  async function runForm(request: IncomingMessage, response: ServerResponse, current: CurrentRequest): Promise<void> {
    const limits = {
      maxFileBytes: config.MAX_UPLOAD_BYTES,
      maxFieldBytes: config.MAX_BODY_BYTES,
      idleMs: config.BODY_IDLE_TIMEOUT_MS,
    };
    const multipart = await readMultipart(request, limits, () => askForBody(response));
    try {
      await run(request, response, current, multipart.operations);
    } finally {
      current.fileBytes = multipart.fileBytes();
      await multipart.finish();
    }
  }
}

export interface OperationParts {
  pipeline: Pipeline;
  service: Service;
  idempotency: Idempotency;
  documents: TrustedDocuments;
}

export function operationRunner({ pipeline, service, idempotency, documents }: OperationParts, config: Config): Run {
  return async function run(request, response, current, body) {
    const { asked, isById } = documents.resolve(graphqlRequest(request, body));
    const caller = callerOf(callerHeaders(request, config), traceContextHeaders(request, current));
    const key = request.headers[idempotencyHeader];
    const context = new Context(service, caller, {
      // Without an Authorization nothing is written, so nothing needs to be remembered.
      once:
        typeof key === 'string' && caller.headers.authorization
          ? idempotency.request(caller, key, asked.body)
          : undefined,
      trace: request.headers[traceHeader] === 'true',
      language: request.headers['accept-language'],
      isFresh: /\bno-(cache|store)\b/i.test(request.headers['cache-control'] ?? ''),
    });
    response.once('close', () => {
      if (!response.writableFinished) context.leave(clientLeft());
    });
    // While its upload was read to the end.
    if (response.destroyed) context.leave(clientLeft());
    try {
      const result = await pipeline.execute(asked, context);
      const headers: OutgoingHttpHeaders = {};
      for (const [name, value] of result.headers) headers[name] = value;
      if (context.once && context.once.replayed.length > 0) headers['idempotency-replayed'] = 'true';
      if (isById && request.method === 'GET' && result.status === 200 && !current.errors) {
        return sendUnlessUnchanged(request, response, Object.assign(headers, answerToKeep(config)), result.body);
      }
      send(response, result.status, Object.assign(headers, privateAnswer), result.body);
    } finally {
      current.calls = context.calls;
      context.end();
    }
  };
}

/** Kept by the browser of who asked, which shows it where it is still the same and nobody else has come. */
function answerToKeep({ FORWARD_HEADERS }: Config): OutgoingHttpHeaders {
  const deciding = ['accept', 'origin', 'authorization', 'accept-language', traceHeader, ...FORWARD_HEADERS];
  return { 'cache-control': 'private, no-cache', vary: [...new Set(deciding)].join(', ') };
}

function clientLeft(): Error {
  return codedError('BAD_REQUEST', 'The client has left.');
}
