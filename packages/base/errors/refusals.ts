import type { GraphQLError } from 'graphql';
import { codedError, type ErrorDetails } from './codes.ts';

export function badRequest(message: string, status = 400): GraphQLError {
  return codedError('BAD_REQUEST', message, { http: { status } });
}

export function tooLarge(message: string): GraphQLError {
  return codedError('PAYLOAD_TOO_LARGE', message, { http: { status: 413 } });
}

/** `headers`: those of the answer, which name what is taken. */
export function unsupported(message: string, headers: Readonly<Record<string, string>> = {}): GraphQLError {
  return codedError('UNSUPPORTED_MEDIA_TYPE', message, {
    http: { status: 415, headers: new Map(Object.entries(headers)) },
  });
}

/** The request has no API key. `header`: the header for it. */
export function noKey(header: string, http?: ErrorDetails['http']): GraphQLError {
  return codedError('UNAUTHENTICATED', `Send the API key in the ${header} header.`, { ...(http && { http }) });
}

/** Each client gets a random time up to this one, so that not all clients come back at once. */
const maxRetryAfterSeconds = 5;

/** Seconds after which a client that was refused may come back. */
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

export function refused({ code, message, status }: Refusal): GraphQLError {
  return codedError(code, message, { retry_after: retryAfterSeconds(), http: { status } });
}

/** OVERLOADED (503). */
export function overloaded(): GraphQLError {
  return refused(overload);
}
