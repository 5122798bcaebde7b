import { CombinedGraphQLErrors, type ErrorLike } from '@apollo/client';

export interface Failure {
  code: string;
  /** The same request may succeed later. */
  retryable: boolean;
  /** The place of the missing part in the answer; empty without an answer. */
  path: readonly (string | number)[];
  /** The wrong places in the input, each with a message. */
  fields?: { path: (string | number)[]; message: string }[];
  /** Seconds. */
  retry_after?: number;
  request_id?: string;
}

/** The `errors` of a GraphQL answer, or NO_ANSWER after a lost connection or the page of a proxy. */
export function failuresOf(error: ErrorLike | undefined): Failure[] {
  if (!error) return [];
  if (!CombinedGraphQLErrors.is(error)) return [{ code: 'NO_ANSWER', retryable: true, path: [] }];
  return error.errors.map(({ path = [], extensions }) => ({
    code: 'INTERNAL_SERVER_ERROR',
    retryable: false,
    ...extensions,
    path,
  }));
}
