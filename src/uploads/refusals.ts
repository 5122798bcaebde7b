import { GraphQLError } from 'graphql';
import { codedError } from '../errors/codes.ts';

export function badRequest(message: string, status = 400): GraphQLError {
  return codedError('BAD_REQUEST', message, { http: { status } });
}

export function tooLarge(subject: string, maxBytes: number): GraphQLError {
  const message = `${subject} is larger than ${maxBytes} bytes.`;
  return codedError('PAYLOAD_TOO_LARGE', message, { http: { status: 413 } });
}

export function unsupported(message: string): GraphQLError {
  return codedError('UNSUPPORTED_MEDIA_TYPE', message, { http: { status: 415 } });
}

/** With the cause of a parser's error, as far as its message says. */
export function malformed(error?: unknown): GraphQLError {
  const inHeader = error instanceof Error && error.message === 'Malformed part header';
  return badRequest(inHeader ? 'The header of a part is malformed.' : 'The form is cut off or malformed.');
}

/** While the operation runs, an error belongs to the field that takes the file: the answer keeps its status. */
export function withoutStatus(error: unknown): unknown {
  if (!(error instanceof GraphQLError)) return error;
  const { http: _, ...extensions } = error.extensions;
  return new GraphQLError(error.message, { extensions });
}
