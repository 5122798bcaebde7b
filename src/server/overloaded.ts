import type { ServerResponse } from 'node:http';
import type { GraphQLError } from 'graphql';
import { codedError } from '../graphql/errors/codes.ts';
import type { CurrentRequest } from '../observability/current-request.ts';
import { json, send } from './response.ts';

/** The longest that a client is asked to stay away, in seconds. Each gets another time, so that not all come back at once. */
const longestRetryAfter = 5;

/** OVERLOADED (503). */
export function overloaded(): GraphQLError {
  return codedError('OVERLOADED', 'The gateway has as much to do as it can serve well.', {
    retry_after: 1 + Math.floor(Math.random() * longestRetryAfter),
    http: { status: 503 },
  });
}

const { message, extensions } = overloaded();

/**
 * Answers as `overloaded` does when it is thrown, for less: at two and a half times the load that can be served, refusals
 * would otherwise take all the time. What comes of the body is passed over by Node.
 */
export function refuse(response: ServerResponse, current: CurrentRequest): void {
  const retry_after = 1 + Math.floor(Math.random() * longestRetryAfter);
  const { code, retryable } = extensions;
  current.noteError('OVERLOADED');
  const error = { message, extensions: { retryable, code, retry_after, request_id: current.id } };
  send(response, 503, { ...json, 'retry-after': String(retry_after) }, JSON.stringify({ errors: [error] }));
}
