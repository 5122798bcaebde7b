import { readFileSync } from 'node:fs';

/** The SDL of the whole schema. */
export function typeDefs(): string {
  return readFileSync(new URL('../../schema/generated/schema.graphql', import.meta.url), 'utf8');
}
