import type { GraphQLError } from 'graphql';
import { codedError } from './codes.ts';

/** Each client gets a random time up to this one, so that not all clients come back at once. */
const maxRetryAfterSeconds = 5;

export function retryAfterSeconds(): number {
  return 1 + Math.floor(Math.random() * maxRetryAfterSeconds);
}

/** OVERLOADED (503). */
export function overloaded(): GraphQLError {
  return codedError('OVERLOADED', 'The gateway has as much to do as it can serve well.', {
    retry_after: retryAfterSeconds(),
    http: { status: 503 },
  });
}
