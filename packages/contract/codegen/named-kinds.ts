import { groupBy } from '@gateway/base';
import type { Union } from '../data.ts';
import type { Contract } from './contract.ts';

/** Notes at references to the union the property by which rows name the kind: its values show every kind. */
export function nameKinds({ name, kinds, evidence }: Union, types: Contract['types']): void {
  for (const [type, shown] of Object.entries(evidence)) {
    const naming = shown.filter(({ equals, probable }) => equals !== undefined && !probable);
    for (const [property, each] of groupBy(naming, ({ field }) => field)) {
      const reference = types.get(type)?.references[property];
      const byValue = Object.fromEntries(each.map(({ equals, is }) => [equals, is]));
      const [field, ...others] = new Set(each.map(({ where }) => where));
      const isComplete = kinds.every((kind) => Object.values(byValue).includes(kind));
      if (reference?.to !== name || field === undefined || others.length > 0 || !isComplete) continue;
      reference.kindBy = { field, kinds: byValue };
    }
  }
}

/** Mistakes of a key that finds objects of these references by their ids alone. Rows that name a kind need it too. */
export function namedKindMistakes({ types }: Contract, at: string, kind: string, fields: Iterable<string>): string[] {
  const { references = {} } = types.get(kind) ?? {};
  return [...new Set(fields)].flatMap((field) => {
    const by = references[field]?.kindBy?.field;
    if (by === undefined) return [];
    return `${at}: needs unique ids, but ${kind}.${by} names the kind of ${field}; where ids are unique, leave a kind out of x-evidence`;
  });
}
