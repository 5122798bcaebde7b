import { decimalSum, type Json } from '@gateway/base';
import { type Contract, contractOf } from '@gateway/contract';
import {
  argumentsOf,
  type DerivedPlan,
  filtersOf,
  idOf,
  type PlanDerived,
  planOf,
  type RequestContext,
  type Rows,
  showDerived,
} from '@gateway/rest-graph';
import type { GraphQLFieldResolver } from 'graphql';
import { type Balance, balanceTypes, type Totals } from './declared.ts';
import { ownRows } from './find-rows.ts';
import { type Group, groupsOf, sumOf, workOfRow } from './group-rows.ts';
import { keyOf } from './keys-of-rows.ts';

/** Rows of one thing that came in to an object, and that went out. */
interface Item extends Group {
  came: readonly Json[];
  went: readonly Json[];
}

/** Shows sums of the rows that came in to each object, and of those that went out. */
export function balanceField({ list, kind }: Totals, balance: Balance) {
  const derived: PlanDerived = (field): DerivedPlan => {
    const contract = contractOf(field.tree.schema);
    const name = `${field.parentType.name}.${field.name}`;
    const args = argumentsOf(field);
    const below = planOf(field).byType.get(balanceTypes(balance).balance);
    return {
      field,
      name,
      below,
      items: 1,
      objects: below?.objects ?? 0,
      cost: (model) => model.everyRow(list),
      async load({ id }, loaders) {
        const filters = filtersOf(contract.endpoint(list), args);
        const way = { list, filters, of: [balance.in, balance.out], field: name };
        const own = await ownRows(loaders, id, way);
        await loaders.work.before(workOfRow * own.rows.length);
        const value = await balanceOf(contract, { kind, balance, id }, own);
        loaders.make((value[balanceTypes(balance).items] as unknown[]).length);
        return { value, objects: [{ object: value, plan: below }] };
      },
    };
  };
  return { resolve: showDerived, extensions: { derived } };
}

interface Owned {
  kind: string;
  balance: Balance;
  /** The object whose balance it is. */
  id: string;
}

async function balanceOf(contract: Contract, { kind, balance, id }: Owned, found: Rows): Promise<Json> {
  const { rows, complete, reason } = found;
  const refersBy = (field: string) => {
    const { of } = keyOf(contract, kind, field);
    return (row: Json) => {
      const value = of(row);
      return value !== null && idOf(value) === id;
    };
  };
  const groups = await groupsOf(rows, { keys: [keyOf(contract, kind, balance.of)] });
  const items = groups.map(
    (group): Item => ({
      ...group,
      came: group.rows.filter(refersBy(balance.in)),
      went: group.rows.filter(refersBy(balance.out)),
    }),
  );
  return { [balanceTypes(balance).items]: items, rows: rows.length, complete, reason };
}

type Resolver = GraphQLFieldResolver<Item, RequestContext>;

/** The sums of one thing. They are 0 where nothing came in or went out. */
export function balanceItem({ sum, left }: Balance): Record<string, Resolver> {
  return {
    in: ({ came }) => sumOf(came, sum) ?? '0',
    out: ({ went }) => sumOf(went, sum) ?? '0',
    stock: ({ came, went }) => difference(sumOf(came, sum) ?? '0', sumOf(went, sum) ?? '0'),
    ...(left !== undefined && { left: ({ came }: Item) => sumOf(came, left) ?? '0' }),
  };
}

/** Both are numbers in plain notation. */
function difference(one: string, other: string): string {
  const negative = other.startsWith('-') ? other.slice(1) : `-${other}`;
  return decimalSum([one, negative]) as string;
}
