import { badRequest } from '@gateway/base';
import { GraphQLError } from 'graphql';

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
