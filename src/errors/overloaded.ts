import type { GraphQLError } from 'graphql';
import { retryAfterSeconds } from '../lib/retry-after.ts';
import { codedError } from './codes.ts';

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
