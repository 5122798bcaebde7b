import type { OpenPart } from '@gateway/graphql-serve';
import { ElementUses } from './element-uses.ts';

/** Counts which apps use which elements of the schema: those that are deprecated, or all. */
export function usage(counted: 'deprecated' | 'all'): OpenPart {
  return ({ graph: { schema }, documents }) => {
    const uses = new ElementUses({ schema, counted, idOf: (document) => documents().idOf(document) });
    return { observer: uses, metrics: uses.metrics };
  };
}
