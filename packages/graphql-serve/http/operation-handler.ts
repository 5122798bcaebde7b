import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { badRequest, isIdempotencyKey, isObject, isWide, overloaded, utf8Of } from '@gateway/base';
import type { OperationContext } from '../graph.ts';
import type { GraphQLHttpRequest } from '../operations/operation-request.ts';
import type { PartHost } from '../part.ts';
import { codingFor, partialStatus } from '../request/accept.ts';
import type { CurrentRequest } from '../request/current-request.ts';
import { idempotencyHeader, traceHeader } from '../request/header-names.ts';
import type { ServeSettings } from '../settings.ts';
import type { Shared } from '../shared.ts';
import { sendCoded } from './content-coding.ts';
import { clientLeft, contextOptions } from './request.ts';
import { etagOf, isKnown, send, sendUnchanged } from './response.ts';
import type { RunOperation } from './routes.ts';

export interface OperationParts
  extends Pick<PartHost, 'settings' | 'pipeline' | 'graph' | 'callerOf' | 'unshared' | 'answers'> {
  idempotency: Shared['idempotency'];
}

/** Runs an operation for its caller, and sends the answer. */
export function operationHandler(parts: OperationParts): RunOperation {
  const { settings, pipeline, graph, callerOf, unshared, idempotency, answers } = parts;
  const isCoded = settings.server.compression === 'on';

  return async function run(request, response, current, asked) {
    const caller = callerOf(request, current);
    const key = request.headers[idempotencyHeader];
    // Without an API key nothing is written, so there is nothing to replay.
    const isOnce = typeof key === 'string' && caller.key !== '';
    if (isOnce && !isIdempotencyKey(key)) throw badRequest('Idempotency-Key must be 1 to 255 printable characters.');
    const context: OperationContext = graph.open(caller, {
      once: isOnce ? idempotency.under(() => context.caller, key, contentOf(asked)) : undefined,
      ...contextOptions(request, current),
    });
    response.once('close', () => {
      if (!response.writableFinished) context.scope.leave(clientLeft());
    });
    try {
      const result = await pipeline.execute(asked, context);
      // A refusal with a status of its own says more, such as the bound of stored keys that is reached.
      if (result.status === 200 && isRefused(current, context)) throw overloaded();
      const body = readyToSend(result.body);
      const status = result.status === 200 && current.errors ? partialStatus(request.headers.accept) : result.status;
      const isRevalidated = isRead(request) && status === 200 && !current.errors;
      const headers: OutgoingHttpHeaders = {};
      for (const [name, value] of result.headers) headers[name] = value;
      if (context.once && context.once.replayed.length > 0) headers['idempotency-replayed'] = 'true';
      Object.assign(headers, isRevalidated ? revalidated(settings, graph.keyHeader.toLowerCase()) : unshared);
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

/** The parts of a request that make it equal to another one. */
function contentOf({ body }: GraphQLHttpRequest) {
  return () => {
    const { query, operationName, variables } = isObject(body) ? body : {};
    return [query, operationName ?? null, variables ?? {}];
  };
}

/** A trace is never the same again. */
function isRead({ method, headers }: IncomingMessage): boolean {
  return method !== 'POST' && headers[traceHeader] === undefined;
}

/** The service had no time for any call of the operation: the client can send it again as it is. */
function isRefused({ errors, hasData }: CurrentRequest, { scope }: OperationContext): boolean {
  return !hasData && !scope.isBegun && errors?.size === 1 && errors.has('OVERLOADED');
}

/** Encodes a wide text, which Node would first count and then encode more slowly. A shorter text goes in one piece with its head. */
function readyToSend(body: string | Buffer): string | Buffer {
  return typeof body === 'string' && body.length > 1_024 && isWide(body) ? utf8Of(body) : body;
}

/** Headers of the client that decide about the form of an answer. Browsers get a page at the same address. */
function decidingHeaders({ server }: Pick<ServeSettings, 'server'>): string[] {
  return ['Accept', ...(server.compression === 'on' ? ['Accept-Encoding'] : []), 'Origin'];
}

/** The answer belongs to one caller. */
export function uncacheable(settings: Pick<ServeSettings, 'server'>): OutgoingHttpHeaders {
  return { 'cache-control': 'no-store', vary: decidingHeaders(settings).join(', ') };
}

/** Lets the client of the caller keep the answer. The client asks the gateway whether the answer is still the same. */
function revalidated(settings: ServeSettings, keyHeader: string): OutgoingHttpHeaders {
  const { forwardHeaders } = settings.upstream;
  const all = [...decidingHeaders(settings), keyHeader, 'accept-language', traceHeader, ...forwardHeaders];
  return { 'cache-control': 'private, no-cache', vary: [...new Set(all)].join(', ') };
}
