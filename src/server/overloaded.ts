import type { ServerResponse } from 'node:http';
import { overloaded, retryAfterSeconds } from '../graphql/errors/overloaded.ts';
import type { CurrentRequest } from '../observability/current-request.ts';
import { json, send } from './response.ts';

const { message, extensions } = overloaded();

/**
 * Sends the answer of a thrown `overloaded`, for less CPU. At 2.5 times the load that the gateway can serve, refusals would
 * take all of its time. Node discards the body.
 */
export function refuse(response: ServerResponse, current: CurrentRequest): void {
  const retry_after = retryAfterSeconds();
  const { code, retryable } = extensions;
  current.noteError('OVERLOADED');
  const error = { message, extensions: { retryable, code, retry_after, request_id: current.id } };
  send(response, 503, { ...json, 'retry-after': String(retry_after) }, JSON.stringify({ errors: [error] }));
}
