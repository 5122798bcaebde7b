import type { Contract } from './contract.ts';

/** Mistakes of a key that finds objects of these references by their ids alone. Rows that name a kind need it too. */
export function namedKindMistakes({ types }: Contract, at: string, kind: string, fields: Iterable<string>): string[] {
  const { references = {} } = types.get(kind) ?? {};
  return [...new Set(fields)].flatMap((field) => {
    const kindBy = references[field]?.kindBy;
    return kindBy
      ? `${at}: needs ids that are unique, and ${kind}.${kindBy.field} names the kind of ${field}; if they are, x-evidence need not show every kind`
      : [];
  });
}
