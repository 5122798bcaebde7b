import { getNamedType, getNullableType, isCompositeType, isListType } from 'graphql';
import { defaultPageSize } from '../../loaders/lists/connection.ts';
import { rowFields } from '../../loaders/lists/filters.ts';
import { typesAmong } from '../../loaders/plan.ts';
import { rowsWantedBy, wayBackOf } from '../../loaders/ways-back.ts';
import { codedError } from '../errors/codes.ts';
import type { Field } from '../executor/field-tree.ts';
import type { RootCall } from './root-calls.ts';

/** Items of a list inside an object, whose length is known only when the object has come. */
const itemsPerList = 5;

/**
 * The approximate number of objects in an answer: the rows that arguments ask for, and the objects inside each row.
 * @throws BAD_USER_INPUT for a field below the root that asks for a negative number of rows, or for more than are allowed.
 */
export function costOf(calls: readonly RootCall[], maxPageSize: number): number {
  let cost = 0;
  for (const call of calls) {
    if (call.how === 'push') cost += call.chains.flat().length * (1 + objectsBelow(call.field, maxPageSize));
    else if (call.how === 'write') cost += 1 + objectsBelow(call.field, maxPageSize);
    else if (call.how === 'by id') cost += call.ids.length * (1 + objectsOf(call, maxPageSize));
    else if (call.how === 'no call') cost += call.objects;
    else cost += call.needsRows ? call.range.size * objectsBelow(call.field, maxPageSize) : 1;
  }
  return cost;
}

/** Objects in an object that is found by its id. Representations of a router are of several types, and each asks for its own. */
function objectsOf({ field, target }: Extract<RootCall, { how: 'by id' }>, maxPageSize: number): number {
  if (field.name !== '_entities') return objectsBelow(field, maxPageSize);
  return countBelow(field, maxPageSize, typesAmong(field, target));
}

const counted = new WeakMap<Field, number>();

/** Objects in each object that the field gives; of a root list, in each row. */
function objectsBelow(field: Field, maxPageSize: number): number {
  let objects = counted.get(field);
  if (objects === undefined) {
    objects = countBelow(field, maxPageSize);
    counted.set(field, objects);
  }
  return objects;
}

/** An object that may have several types counts as the type with the most. */
function countBelow(field: Field, maxPageSize: number, types = field.objectTypes): number {
  const counts = types.map((type) =>
    field.select(type).fields.reduce((sum, child) => sum + countOf(child, maxPageSize), 0),
  );
  return Math.max(0, ...counts);
}

function countOf(field: Field, maxPageSize: number): number {
  const { definition, parentType, name } = field;
  if (!isCompositeType(getNamedType(definition.type))) return 0;
  const way = wayBackOf(parentType.name, name);
  if (way && !way.gives) {
    const { limit } = rowsWantedBy(field, way);
    checkLimit(field, limit, maxPageSize);
    return limit * objectsBelow(field, maxPageSize);
  }
  const each = 1 + objectsBelow(field, maxPageSize);
  // The arguments of a list say how many rows it has; its other objects count for nothing.
  if (/(Connection|Rows)$/.test(parentType.name)) return rowFields.has(name) ? each : 0;
  return isListType(getNullableType(definition.type)) ? itemsPerList * each : each;
}

function checkLimit({ parentType, name, nodes }: Field, limit: number, maxPageSize: number): void {
  const isTooLarge = limit > Math.max(maxPageSize, defaultPageSize);
  if (limit >= 0 && !isTooLarge) return;
  const bound = isTooLarge ? `can be ${maxPageSize} at most (limits.operations.pageSize)` : 'cannot be negative';
  const message = `\`limit\` of ${parentType.name}.${name} ${bound}.`;
  const fields = [{ path: [name, 'limit'], message }];
  throw codedError('BAD_USER_INPUT', message, { fields, nodes, http: { status: 400 } });
}
