import { codedError, type Field, type Json } from '@gateway/base';
import type { Contract, Reference, WayBack } from '@gateway/contract';
import type { GraphQLFieldResolver } from 'graphql';
import { defaultPageSize } from '../load/lists/connection.ts';
import { filtersOf } from '../load/lists/filters.ts';
import type { FoundRows } from '../load/lists/row-search.ts';
import { referenceValue } from '../load/references.ts';
import type { DerivedPlan, PlanDerived } from '../plan/plan.ts';
import { newTypePlan, placeOf, planOf } from '../plan/selection-plan.ts';
import type { RequestContext } from '../request/context.ts';
import { argumentsOf, derivedValue, refuseArgument } from './derived.ts';
import { objectIn } from './references.ts';

interface DerivedField {
  resolve: GraphQLFieldResolver<Json, RequestContext>;
  extensions: { derived: PlanDerived };
}

/** Fields that show rows by what they refer to. */
export function waysBackOf(contract: Contract): Record<string, Record<string, DerivedField>> {
  const types = Object.entries(contract.data.waysBack).map(([type, ways]) => [
    type,
    Object.fromEntries(Object.entries(ways).map(([field, way]) => [field, fieldOfWay(contract, way)])),
  ]);
  return Object.fromEntries(types);
}

function fieldOfWay(contract: Contract, way: WayBack): DerivedField {
  const { list, gives } = way;
  if (gives === undefined) {
    return { resolve: showRows, extensions: { derived: (field) => planRows(contract, way, field) } };
  }
  const reference = contract.references(contract.endpoint(list).kind)[gives] as Reference;
  return {
    extensions: { derived: (field) => planGiven(way, { field, gives, reference }) },
    resolve(object, _args, context, info) {
      const { results, reason } = derivedValue<FoundRows<Json>>(object, context, info);
      const [row] = results;
      const value = row ? referenceValue(row, gives, reference) : null;
      if (row && value !== null) return objectIn(row, value, reference, context, info);
      if (reason === null) return null;
      const owner = { type: info.parentType.name, id: String(object.id) };
      throw codedError('REFERENCE_UNRESOLVED', reason, { reference: owner });
    },
  };
}

const showRows: DerivedField['resolve'] = (object, _args, context, info) => {
  const rows = derivedValue<FoundRows>(object, context, info);
  context.answer.requireRoomFor(rows.results.length);
  return rows;
};

/** The newest rows of each object. */
function planRows(contract: Contract, way: WayBack, field: Field): DerivedPlan {
  const name = `${field.parentType.name}.${field.name}`;
  const args = argumentsOf(field);
  const limit = (args.limit as number | null | undefined) ?? defaultPageSize;
  const rows = planOf(field).byType.get(contract.rowsTypeOf(way));
  return {
    field,
    name,
    below: rows,
    items: limit,
    objects: limit * (rows?.objects ?? 0),
    check(maxPageSize) {
      if (limit < 0) refuseArgument(field, 'limit', 'cannot be negative');
      const most = Math.max(maxPageSize, defaultPageSize);
      if (limit > most) refuseArgument(field, 'limit', `can be ${maxPageSize} at most (limits.operations.pageSize)`);
    },
    cost: (model, objects) => model.rowsOf(way.list, way.by, objects, limit),
    async load({ id }, loaders) {
      const filters = filtersOf(contract.endpoint(way.list), args);
      const value = await loaders.loadRows(filters, { way, id, limit, field: name });
      return { value, objects: [{ object: value as unknown as Json, plan: rows }] };
    },
  };
}

/** The object that the newest row of each object refers to. */
function planGiven(
  way: WayBack,
  { field, gives, reference }: { field: Field; gives: string; reference: Reference },
): DerivedPlan {
  const name = `${field.parentType.name}.${field.name}`;
  const given = placeOf(name, gives, reference, field);
  const row = newTypePlan({ keys: [], references: [given], embedded: [], derived: [] });
  return {
    field,
    name,
    below: row,
    items: 1,
    objects: row.objects,
    cost: (model, objects) => model.rowsOf(way.list, way.by, objects, 1),
    async load({ id }, loaders) {
      const value = await loaders.loadRows({}, { way, id, limit: 1, field: name });
      return { value, objects: value.results.map((object) => ({ object: object as Json, plan: row })) };
    },
  };
}
