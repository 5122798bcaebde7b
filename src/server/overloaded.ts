import type { ServerResponse } from 'node:http';
import type { GraphQLError } from 'graphql';
import { codedError } from '../graphql/errors/codes.ts';
import type { CurrentRequest } from '../observability/current-request.ts';
import { json, send } from './response.ts';

/** Each client gets a random time up to this one, so that not all clients come back at once. */
const maxRetryAfterSeconds = 5;

/** OVERLOADED (503). */
export function overloaded(): GraphQLError {
  return codedError('OVERLOADED', 'The gateway has as much to do as it can serve well.', {
    retry_after: 1 + Math.floor(Math.random() * maxRetryAfterSeconds),
    http: { status: 503 },
  });
}

const { message, extensions } = overloaded();

/**
 * Sends the answer of a thrown `overloaded`, for less CPU. At 2.5 times the load that the gateway can serve, refusals would
 * take all of its time. Node discards the body.
 */
export function refuse(response: ServerResponse, current: CurrentRequest): void {
  const retry_after = 1 + Math.floor(Math.random() * maxRetryAfterSeconds);
  const { code, retryable } = extensions;
  current.noteError('OVERLOADED');
  const error = { message, extensions: { retryable, code, retry_after, request_id: current.id } };
  send(response, 503, { ...json, 'retry-after': String(retry_after) }, JSON.stringify({ errors: [error] }));
}
