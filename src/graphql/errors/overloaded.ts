import type { GraphQLError } from 'graphql';
import { codedError } from './codes.ts';

/** Each client gets a random time up to this one, so that not all clients come back at once. */
const maxRetryAfterSeconds = 5;

export function retryAfterSeconds(): number {
  return 1 + Math.floor(Math.random() * maxRetryAfterSeconds);
}

/** An error of a request that the gateway does not run now. */
export interface Refusal {
  code: 'OVERLOADED' | 'RATE_LIMITED';
  message: string;
  status: number;
}

export const overload: Refusal = {
  code: 'OVERLOADED',
  message: 'The gateway has as much to do as it can serve well.',
  status: 503,
};

/** `retryAfter`: seconds. */
export function refused({ code, message, status }: Refusal, retryAfter = retryAfterSeconds()): GraphQLError {
  return codedError(code, message, { retry_after: retryAfter, http: { status } });
}

/** OVERLOADED (503). */
export function overloaded(): GraphQLError {
  return refused(overload);
}
