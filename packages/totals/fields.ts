import { type Field, fieldsRefused, type Json } from '@gateway/base';
import { contractOf } from '@gateway/contract';
import {
  argumentsOf,
  type DerivedPlan,
  type Filters,
  filtersOf,
  type Loaders,
  type PlanDerived,
  plannedRoot,
  planOf,
  ReferenceLoader,
  type RequestContext,
  type RootCall,
  type RootPlan,
  type Rows,
  refuseArgument,
  requireKey,
  showDerived,
  withCodes,
} from '@gateway/rest-graph';
import type { GraphQLResolveInfo } from 'graphql';
import { type OwnTotals, type Totals, totalsTypes } from './declared.ts';
import { allRows, ownRows, usualRows } from './find-rows.ts';
import { groupsOf, workOfRow } from './group-rows.ts';
import { groupingOf } from './keys-of-rows.ts';

type GroupBy = readonly string[];

interface TotalsArgs extends Record<string, unknown> {
  groupBy?: GroupBy | null;
}

interface TotalsPlan extends RootPlan {
  groupBy: GroupBy;
  filters: Filters;
}

/** The totals of the rows of the list. */
export function rootField(totals: Totals) {
  const { list, kind } = totals;
  const plan = (field: Field, args: TotalsArgs): TotalsPlan => {
    const groupBy = args.groupBy ?? [];
    const at = repeatedIn(groupBy);
    if (at !== undefined) {
      const message = `\`groupBy.${at}\` ${repeats(groupBy, at)}.`;
      throw fieldsRefused('The rows cannot be grouped', [{ path: ['groupBy', at], message }]);
    }
    const filters = filtersOf(contractOf(field.tree.schema).endpoint(list), args);
    const plan = planOf(field);
    const objects = shareOfGroups(groupBy);
    const call: RootCall = { plan, how: 'look', endpoint: list, filters, objects };
    return { objects: 1 + objects * plan.objects, calls: [call], groupBy, filters };
  };
  return {
    extensions: { plan },
    async resolve(_parent: unknown, args: TotalsArgs, context: RequestContext, info: GraphQLResolveInfo) {
      requireKey(context);
      const rename = (parameter: string) => context.service.upstream.paths.argumentOf(list, parameter);
      const { groupBy, filters, calls } = plannedRoot(plan, args, context, info);
      const way = { list, filters, field: String(info.path.key) };
      const rows = await withCodes(() => allRows(context.loaders, way), { rename });
      const object = await totalsOf(context.loaders, totals, groupBy, rows);
      const below = calls[0]?.plan.byType.get(totalsTypes(kind).totals);
      await new ReferenceLoader(context.loaders).resolveAll([{ object, plan: below }]);
      context.scope.requireClient();
      return object;
    },
  };
}

/** The totals of the rows that refer to each object. */
export function ownField(totals: Totals, { of, by }: OwnTotals) {
  const { list, kind } = totals;
  const derived: PlanDerived = (field): DerivedPlan => {
    const contract = contractOf(field.tree.schema);
    const name = `${field.parentType.name}.${field.name}`;
    const args = argumentsOf(field) as TotalsArgs;
    const groupBy = args.groupBy ?? [];
    const below = planOf(field).byType.get(totalsTypes(kind).totals);
    const share = shareOfGroups(groupBy);
    return {
      field,
      name,
      below,
      items: share,
      objects: share * (below?.objects ?? 0),
      check() {
        const at = repeatedIn(groupBy);
        if (at !== undefined) refuseArgument(field, 'groupBy', repeats(groupBy, at), at);
      },
      cost: (model, objects) => (by === undefined ? model.everyRow(list) : model.rowsOf(list, by, objects, usualRows)),
      async load({ id }, loaders) {
        const way = { list, filters: filtersOf(contract.endpoint(list), args), of, by, field: name };
        const value = await totalsOf(loaders, totals, groupBy, await ownRows(loaders, id, way));
        return { value, objects: [{ object: value, plan: below }] };
      },
    };
  };
  return { resolve: showDerived, extensions: { derived } };
}

async function totalsOf(
  loaders: Loaders,
  totals: Totals,
  groupBy: GroupBy,
  { rows, complete, reason }: Rows,
): Promise<Json> {
  await loaders.work.before(workOfRow * rows.length);
  const groups = await groupsOf(rows, groupingOf(loaders.contract, totals, groupBy));
  loaders.make(groups.length);
  return { groups, rows: rows.length, complete, reason };
}

/** The position of the first value that another one repeats. */
function repeatedIn(groupBy: GroupBy): number | undefined {
  const at = groupBy.findIndex((value, index) => groupBy.indexOf(value) < index);
  return at < 0 ? undefined : at;
}

function repeats(groupBy: GroupBy, at: number): string {
  const value = groupBy[at] as string;
  return `repeats ${value} of \`groupBy.${groupBy.indexOf(value)}\``;
}

/** Groups of a total, by those that a plan supposes in a list. */
function shareOfGroups(groupBy: GroupBy): number {
  return groupBy.length === 0 ? 1 : usualRows / 2;
}
