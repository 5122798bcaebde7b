import type { GraphQLError } from 'graphql';

/** The executor's words for a null where the schema promises a value. */
const noValue = /^(?:Cannot return null for non-nullable field|No value for) /;

export function isNoValue({ originalError }: Pick<GraphQLError, 'originalError'>): boolean {
  return noValue.test(originalError?.message ?? '');
}
