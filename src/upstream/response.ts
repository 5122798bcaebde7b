import { isObject, type Json } from '../lib/json.ts';
import { errorFromAnswer, UpstreamError } from './errors.ts';
import type { RawResponse } from './transport.ts';

/** What an answer is to: what its status means depends on it. */
export interface Asked {
  isWrite: boolean;
  /** Lists and creations are always there. */
  isById: boolean;
  /** The Authorization that was sent. */
  key: string | undefined;
}

/**
 * The documented body of an answer, out of its envelope where the service uses one.
 * @throws RestError for every other outcome.
 */
export function bodyOf({ status, content, retryAfter }: RawResponse, asked: Asked): Json {
  if (status === 404 && !asked.isById) {
    throw new UpstreamError('UPSTREAM_INVALID_RESPONSE', 'The service knows no such path; check UPSTREAM_URL.', {
      status,
    });
  }
  const body = content.json;
  if (status >= 300) throw errorFromAnswer(status, body, retryAfter, asked);
  if (body === undefined) {
    const what = content.text.trim() === '' ? 'nothing' : 'something that is not JSON';
    throw new UpstreamError('UPSTREAM_INVALID_RESPONSE', `The service answered ${status} with ${what}.`, { status });
  }
  if (isEnveloped(body) && body.success === false) {
    const inner = typeof body.code === 'number' && body.code >= 400 ? body.code : 500;
    throw errorFromAnswer(inner, body, retryAfter, asked);
  }
  const documented = contentOf(body);
  if (!isObject(documented)) {
    throw new UpstreamError('UPSTREAM_INVALID_RESPONSE', 'The service answered something that is no object.', {
      status,
    });
  }
  return documented;
}

/** What a body holds, in its envelope or without one. */
export function contentOf(body: unknown): unknown {
  return isEnveloped(body) ? body.data : body;
}

function isEnveloped(body: unknown): body is Json {
  return isObject(body) && 'success' in body && 'data' in body;
}
