import { groupBy } from '@gateway/base';
import type { Union } from '../data.ts';
import type { Contract } from './contract.ts';

/** Notes at references to the union the property by which rows name the kind: its values show every kind. */
export function nameKinds(union: Union, types: Contract['types']): void {
  const { name, kinds, evidence } = union;
  for (const [type, shown] of Object.entries(evidence)) {
    const naming = shown.filter(({ equals, probable }) => equals !== undefined && !probable);
    for (const [property, each] of groupBy(naming, ({ field }) => field)) {
      const reference = types.get(type)?.references[property];
      const byValue = Object.fromEntries(each.map(({ equals, is }) => [equals, is]));
      const [field, ...others] = new Set(each.map(({ where }) => where));
      const isComplete = kinds.every((kind) => Object.values(byValue).includes(kind));
      if (reference?.to !== name || field === undefined || others.length > 0 || !isComplete) continue;
      reference.kindBy = { field, kinds: byValue };
      union.sharesIds = true;
    }
  }
}

/** Mistakes of a key that finds objects of these types by their ids alone. */
export function sharedIdMistakes({ unions }: Contract, at: string, types: Iterable<string | undefined>): string[] {
  const shared = [...new Set(types)].filter((type) => type !== undefined && unions.get(type)?.sharesIds);
  const wayOut = 'where ids are unique, leave a kind out of x-evidence';
  return shared.map((type) => `${at}: needs unique ids, but rows name the kind of each ${type}; ${wayOut}`);
}
