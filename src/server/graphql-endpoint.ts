import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { overloaded } from '../errors/refusals.ts';
import { RequestContext, type Service } from '../graphql/context.ts';
import { partialStatus } from '../graphql/errors/status.ts';
import { idempotencyHeader, traceHeader } from '../graphql/header-names.ts';
import { fileType } from '../graphql/media-types.ts';
import type { Pipeline } from '../graphql/pipeline.ts';
import type { TrustedDocuments } from '../graphql/trusted-documents/trusted-documents.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import { Deadlines } from '../lib/deadlines.ts';
import type { MemoryShare } from '../lib/memory-budget.ts';
import { onceAMinute } from '../lib/once-a-minute.ts';
import { isWide, utf8Of } from '../lib/utf8.ts';
import type { CurrentRequest } from '../observability/current-request.ts';
import type { Spans } from '../observability/spans.ts';
import type { Traffic } from '../observability/traffic.ts';
import type { ClientBody } from '../uploads/client-body.ts';
import { type MultipartOptions, readMultipart } from '../uploads/multipart.ts';
import { averagedMs } from '../uploads/pace.ts';
import { discardBody } from '../uploads/request-body.ts';
import { SpoolSpace } from '../uploads/spool-space.ts';
import { TransferLimit } from '../uploads/transfer-limit.ts';
import { declaresBody, isGzip, isMultipart, readBody, requireJson, requirePlain, requireSize, textOf } from './body.ts';
import { sendCoded } from './coded-answer.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import { codingFor } from './content-coding.ts';
import { askForBody } from './expect-continue.ts';
import { unpack } from './gzip-body.ts';
import {
  clientLeft,
  contextOptions,
  graphqlRequest,
  parseText,
  requestCaller,
  requireAcceptable,
  requireKey,
  requirePreflight,
} from './request.ts';
import { etagOf, isKnown, send, sendMethodNotAllowed, sendUnchanged } from './response.ts';
import type { Handler } from './routes.ts';
import { traceContextHeaders } from './trace-context.ts';
import type { UntakenAnswers } from './untaken-answers.ts';

/** Answers a request whose body is parsed. The body of a GET is undefined. */
export type RunOperation = (
  request: IncomingMessage,
  response: ServerResponse,
  current: CurrentRequest,
  body: unknown,
) => Promise<void>;

export interface EndpointParts {
  run: RunOperation;
  /** Answers a request for a list as a file. */
  sendFile: RunOperation;
  operations: ConcurrencyLimit;
  shareOf(request: IncomingMessage, current: CurrentRequest): string;
  /** Resolves when messages of other gateways are read that came before the request. Undefined in a gateway that is alone. */
  untilRead(): Promise<void> | undefined;
  traffic: Traffic;
  /** For the bodies of requests whose operations do not run yet. */
  clientBodies: MemoryShare;
  spooledFiles: MemoryShare;
  logger: Logger;
  /** Undefined without OpenTelemetry. */
  spans: Spans | undefined;
}

interface Posted {
  body: ClientBody;
  isPacked: boolean;
}

/** The body no longer counts. */
function bytesOf({ body }: Posted): Buffer {
  const bytes = body.take();
  body.release();
  return bytes;
}

/** Reads requests of GraphQL over HTTP, and limits how many run. Throws an error that is the answer. */
export function graphqlEndpoint(
  { run, sendFile, operations, shareOf, untilRead, traffic, clientBodies, spooledFiles, logger, spans }: EndpointParts,
  config: Config,
): Handler {
  const bodies = { deadlines: new Deadlines<ClientBody>(config.limits.clients.bodyTimeoutMs), share: clientBodies };
  const forms: MultipartOptions = {
    maxFileBytes: config.limits.uploads.fileBytes,
    maxFieldBytes: config.limits.clients.bodyBytes,
    idleMs: config.limits.uploads.idleTimeoutMs,
    minBytesPerSecond: config.limits.uploads.minBytesPerSecond,
    averagedMs,
    bodies,
    spool: {
      space: new SpoolSpace(spooledFiles, config.limits.uploads.fileBytes),
      onNoDisk: onceAMinute((err) => {
        logger.warn({ err, folder: tmpdir() }, 'The temporary folder takes no files: uploads wait in memory');
      }),
    },
    running: new TransferLimit(config.limits.uploads.running),
  };

  return function handle(request, response, current) {
    if (request.method === 'POST') {
      begin(request, current);
      return isMultipart(request) ? postForm(request, response, current) : postJson(request, response, current);
    }
    // No other method takes a body. Node would read an unread body to its end, however long.
    if (declaresBody(request)) discardBody(request);
    if (request.method !== 'GET') return sendMethodNotAllowed(response, 'GET, POST');
    begin(request, current);
    requireAcceptable(request);
    return runInTurn(request, response, current);
  };

  function begin({ headers }: IncomingMessage, current: CurrentRequest): void {
    traffic.begin(current);
    if (spans) current.span = spans.begin(headers);
  }

  async function postJson(request: IncomingMessage, response: ServerResponse, current: CurrentRequest): Promise<void> {
    const isPacked = isGzip(request);
    requireJson(request);
    requireSize(request, config.limits.clients.bodyBytes);
    // A client without Expect sends its body anyway. If the gateway reads the body first, the connection stays usable.
    if (request.headers.expect !== undefined) {
      requireAcceptable(request);
      askForBody(response);
    }
    const body = await readBody(request, config.limits.clients.bodyBytes, bodies);
    try {
      requireAcceptable(request);
      return await runInTurn(request, response, current, { body, isPacked });
    } finally {
      body.release();
    }
  }

  async function runInTurn(
    request: IncomingMessage,
    response: ServerResponse,
    current: CurrentRequest,
    posted?: Posted,
  ): Promise<void> {
    const place = await operations.enter(response, shareOf(request, current));
    if (!place) return;
    let isInPlace = true;
    try {
      const body = posted && parseText(posted.isPacked ? await textOfPacked(posted) : textOf(bytesOf(posted)));
      const messages = untilRead();
      if (messages) await messages;
      if (!fileType(request.headers.accept)) return await run(request, response, current, body);
      // A file takes a place for each window.
      operations.leave(place);
      isInPlace = false;
      await sendFile(request, response, current, body);
    } finally {
      if (isInPlace) operations.leave(place);
    }
  }

  async function textOfPacked(posted: Posted): Promise<string> {
    return textOf(await unpack(bytesOf(posted), config.limits.clients.bodyBytes));
  }

  async function postForm(request: IncomingMessage, response: ServerResponse, current: CurrentRequest): Promise<void> {
    current.fileBytes = 0;
    try {
      requirePlain(request);
      requireAcceptable(request);
      requirePreflight(request);
      requireKey(request);
    } catch (error) {
      discardBody(request);
      throw error;
    }
    let leave = () => {};
    const multipart = await readMultipart(request, forms, {
      begin: () => askForBody(response),
      // A file takes as long as its client needs to send it. Slow files must not block other operations.
      onRead: () => leave(),
    });
    try {
      const place = await operations.enter(response, shareOf(request, current));
      if (!place) return;
      leave = () => {
        leave = () => {};
        operations.leave(place);
      };
      await run(request, response, current, multipart.operations);
    } finally {
      leave();
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
  answers: UntakenAnswers;
}

/** Runs an operation for its caller, and sends the answer. */
export function operationHandler(
  { pipeline, service, idempotency, documents, answers }: OperationParts,
  config: Config,
): RunOperation {
  const isCoded = config.server.compression === 'on';
  const unshared = uncacheable(config);

  return async function run(request, response, current, body) {
    const { asked, isById } = documents.resolve(graphqlRequest(request, body));
    const caller = service.upstream.callers.known(
      requestCaller(request, current, config.upstream),
      traceContextHeaders(request, current),
    );
    const key = request.headers[idempotencyHeader];
    // Without an Authorization nothing is written, so there is nothing to replay.
    const isOnce = typeof key === 'string' && Boolean(caller.headers.authorization);
    const context: RequestContext = new RequestContext(service, caller, {
      once: isOnce ? idempotency.request(() => context.caller, key, asked.body) : undefined,
      ...contextOptions(request),
      span: current.span,
    });
    response.once('close', () => {
      if (!response.writableFinished) context.scope.leave(clientLeft());
    });
    // The client may have left while its form was read.
    if (response.destroyed) context.scope.leave(clientLeft());
    try {
      const result = await pipeline.execute(asked, context);
      // A refusal with a status of its own says more, such as the bound of stored keys that is reached.
      if (result.status === 200 && isRefused(current, context)) throw overloaded();
      const body = readyToSend(result.body);
      const status = result.status === 200 && current.errors ? partialStatus(request.headers.accept) : result.status;
      const isRevalidated = isById && request.method === 'GET' && status === 200 && !current.errors;
      const headers: OutgoingHttpHeaders = {
        ...Object.fromEntries(result.headers),
        ...(context.once && context.once.replayed.length > 0 && { 'idempotency-replayed': 'true' }),
        ...(isRevalidated ? revalidated(config) : unshared),
      };
      const bytes = Buffer.byteLength(body);
      const coding = isCoded ? codingFor(request.headers, bytes) : undefined;
      if (isRevalidated) {
        headers.etag = etagOf(body, coding);
        if (isKnown(request, headers.etag)) return sendUnchanged(response, headers);
      }
      await answers.write(response, bytes, () => {
        if (coding) return sendCoded(response, status, headers, body, coding);
        send(response, status, headers, body, bytes);
      });
    } finally {
      current.calls = context.calls;
      context.end();
    }
  };
}

/** The service had no time for any call of the operation: the client can send it again as it is. */
function isRefused({ errors, hasData }: CurrentRequest, { scope }: RequestContext): boolean {
  return !hasData && !scope.isBegun && errors?.size === 1 && errors.has('OVERLOADED');
}

/** Encodes a wide text, which Node would first count and then encode more slowly. A shorter text goes in one piece with its head. */
function readyToSend(body: string | Buffer): string | Buffer {
  return typeof body === 'string' && body.length > 1_024 && isWide(body) ? utf8Of(body) : body;
}

/** Headers of the client that decide about the form of an answer. Browsers get a page at the same address. */
function decidingHeaders({ server }: Config): string[] {
  return ['Accept', ...(server.compression === 'on' ? ['Accept-Encoding'] : []), 'Origin'];
}

/** The answer belongs to one caller. */
export function uncacheable(config: Config): OutgoingHttpHeaders {
  return { 'cache-control': 'no-store', vary: decidingHeaders(config).join(', ') };
}

/** Lets the browser of the caller keep the answer. The browser asks the gateway whether the answer is still the same. */
function revalidated(config: Config): OutgoingHttpHeaders {
  const { forwardHeaders } = config.upstream;
  const all = [...decidingHeaders(config), 'authorization', 'accept-language', traceHeader, ...forwardHeaders];
  return { 'cache-control': 'private, no-cache', vary: [...new Set(all)].join(', ') };
}
