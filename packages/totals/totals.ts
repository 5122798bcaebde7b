import type { Json } from '@gateway/base';
import type { Contract } from '@gateway/contract';
import type { SchemaPart } from '@gateway/rest-graph';
import { balanceField, balanceItem } from './balance.ts';
import { balanceTypes, insideType, rootFieldOf, type Totals, totalsTypes } from './declared.ts';
import { ownField, rootField } from './fields.ts';
import { listed, sumsOf } from './show-groups.ts';

type Resolvers = Record<string, Record<string, object>>;

/** Fields that count and sum the rows of lists. */
export const totals: SchemaPart = {
  resolvers({ data }: Contract) {
    const all = (data.parts.totals ?? []) as readonly Totals[];
    const found: Resolvers = {};
    for (const each of all) {
      for (const [type, fields] of Object.entries(resolversOf(each))) found[type] = { ...found[type], ...fields };
    }
    return found;
  },
};

function resolversOf(declared: Totals): Resolvers {
  const { kind, enums, sums, inside, on, balances } = declared;
  const types = totalsTypes(kind);
  const found: Resolvers = {
    Query: { [rootFieldOf(kind)]: rootField(declared) },
    [types.totals]: { groups: listed('groups') },
    [types.total]: {
      ...Object.fromEntries(enums.map((field) => [`${field}_raw`, (group: Json) => group[field]])),
      ...sumsOf(sums),
      ...Object.fromEntries(inside.map(({ field }) => [field, listed(field)])),
    },
  };
  for (const each of inside) found[insideType(kind, each)] = sumsOf(each.sums);
  for (const own of on) found[own.type] = { ...found[own.type], [own.field]: ownField(declared, own) };
  for (const each of balances) {
    const { balance, item, items } = balanceTypes(each);
    found[each.type] = { ...found[each.type], [each.field]: balanceField(declared, each) };
    found[balance] = { [items]: listed(items) };
    found[item] = balanceItem(each);
  }
  return found;
}
