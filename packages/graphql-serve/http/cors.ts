import type { IncomingMessage, ServerResponse } from 'node:http';
import { currentRequest } from '../request/current-request.ts';
import {
  clientNameHeaders,
  clientVersionHeaders,
  csrfHeaders,
  idempotencyHeader,
  traceHeader,
} from '../request/header-names.ts';
import { methods } from './body.ts';
import { guarding } from './response.ts';

/** The rights of pages from other origins (the CORS protocol of the Fetch Standard). */
export interface Cors {
  /** Lets a page of a listed origin read the answer. The caller has written nothing yet. */
  allow(request: IncomingMessage, response: ServerResponse): void;
  /** Answers the preflight request of a browser; false for any other request. */
  answerPreflight(request: IncomingMessage, response: ServerResponse): boolean;
}

/** The headers of one path. */
export interface CorsHeaders {
  /** Pages may send these. */
  headers: readonly string[];
  /** Pages may read these. */
  shown: readonly string[];
}

/** A browser may cache the answer to a preflight request for this time. No browser allows more. */
const maxAgeSeconds = '7200';

/**
 * Undefined where no origin is listed. No answer depends on cookies, so browsers send none. `*` gives a page nothing that
 * its own server could not read.
 */
export function corsFor(
  origins: readonly string[] | undefined,
  keyHeader: string,
  forwardHeaders: readonly string[],
  ofOthers: readonly CorsHeaders[],
): Cors | undefined {
  if (!origins) return undefined;
  const isForAll = origins.includes('*');
  const taken = new Set([
    keyHeader,
    'content-type',
    'content-encoding',
    'cache-control',
    'if-none-match',
    'x-request-id',
    'traceparent',
    'tracestate',
    ...csrfHeaders,
    idempotencyHeader,
    traceHeader,
    ...clientNameHeaders,
    ...clientVersionHeaders,
    ...forwardHeaders,
    ...ofOthers.flatMap(({ headers }) => headers),
  ]);
  const ofAll = ['etag', 'x-request-id', 'retry-after', 'idempotency-replayed'];
  const shown = new Set([...ofAll, ...ofOthers.flatMap(({ shown }) => shown)]);
  const preflight = {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': [...taken].join(', '),
    'access-control-max-age': maxAgeSeconds,
  };

  return {
    allow(request, response) {
      response.setHeader('vary', 'Origin');
      const { origin } = request.headers;
      // Any page in a sandboxed frame or in a file has the origin "null".
      if (origin === undefined || origin === 'null' || !(isForAll || origins.includes(origin))) return;
      response.setHeader('access-control-allow-origin', origin);
      response.setHeader('access-control-expose-headers', [...shown].join(', '));
    },
    answerPreflight({ method, headers }, response) {
      const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
      if (!isPreflight || !response.hasHeader('access-control-allow-origin')) return false;
      response.writeHead(204, { ...guarding, ...preflight, 'x-request-id': currentRequest.getStore()?.id }).end();
      return true;
    },
  };
}
