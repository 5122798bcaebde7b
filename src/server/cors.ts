import type { IncomingMessage, ServerResponse } from 'node:http';
import { csrfHeaders, idempotencyHeader, traceHeader } from '../graphql/header-names.ts';
import { currentRequest } from '../observability/current-request.ts';
import { guarding } from './response.ts';

/** What pages of other origins may do (the CORS protocol of the Fetch Standard). */
export interface Cors {
  /** Lets a page of a listed origin read the answer, whatever it will be; to be called before anything is written. */
  allow(request: IncomingMessage, response: ServerResponse): void;
  /** Answers a browser that asks for such a page whether it may send a request; false where that is not asked. */
  answerPreflight(request: IncomingMessage, response: ServerResponse): boolean;
}

/** Seconds that browsers keep the answer to a preflight; none does so for longer. */
const maxAge = '7200';

/**
 * Undefined where no origin is listed. Cookies play no part in any answer, so no request with credentials of the
 * browser's own is allowed, and `*` gives a page nothing that it could not have from a server of its own.
 */
export function corsFor(origins: readonly string[] | undefined, forwardHeaders: readonly string[]): Cors | undefined {
  if (!origins) return undefined;
  const isForAll = origins.includes('*');
  const headers = ['authorization', 'content-type', 'cache-control', 'x-request-id', 'traceparent', 'tracestate'];
  const taken = new Set([...headers, ...csrfHeaders, idempotencyHeader, traceHeader, ...forwardHeaders]);
  const preflight = {
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': [...taken].join(', '),
    'access-control-max-age': maxAge,
  };

  return {
    allow(request, response) {
      response.setHeader('vary', 'Origin');
      const { origin } = request.headers;
      // A page in a sandboxed frame, or in a file, is of the origin "null", whoever wrote it.
      if (origin === undefined || origin === 'null' || !(isForAll || origins.includes(origin))) return;
      response.setHeader('access-control-allow-origin', origin);
      response.setHeader('access-control-expose-headers', 'x-request-id, retry-after, idempotency-replayed');
    },
    answerPreflight({ method, headers }, response) {
      const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
      if (!isPreflight || !response.hasHeader('access-control-allow-origin')) return false;
      response.writeHead(204, { ...guarding, ...preflight, 'x-request-id': currentRequest.getStore()?.id }).end();
      return true;
    },
  };
}
