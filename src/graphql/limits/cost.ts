import { getNamedType, getNullableType, isCompositeType, isListType } from 'graphql';
import { rowFields } from '../../loaders/list-filters.ts';
import type { Field } from '../executor/field-tree.ts';
import type { RootCall } from './root-calls.ts';

/** Items of a list inside an object, whose length is known only when the object has come. */
const itemsPerList = 5;

/** The approximate number of objects in an answer: the rows that arguments ask for, and the objects inside each row. */
export function costOf(calls: readonly RootCall[]): number {
  let cost = 0;
  for (const call of calls) {
    if (call.how === 'push') cost += call.chains.flat().length * (1 + objectsBelow(call.field));
    else if (call.how !== 'list') cost += 1 + objectsBelow(call.field);
    else cost += call.needsRows ? call.range.size * objectsBelow(call.field) : 1;
  }
  return cost;
}

const counted = new WeakMap<Field, number>();

/** Objects in each object that the field gives; of a root list, in each row. */
function objectsBelow(field: Field): number {
  let objects = counted.get(field);
  if (objects === undefined) {
    objects = countBelow(field);
    counted.set(field, objects);
  }
  return objects;
}

/** An object that may have several types counts as the type with the most. */
function countBelow(field: Field): number {
  const counts = field.objectTypes.map((type) =>
    field.select(type).fields.reduce((sum, child) => sum + countOf(child), 0),
  );
  return Math.max(0, ...counts);
}

function countOf(field: Field): number {
  const { definition, parentType, name } = field;
  if (!isCompositeType(getNamedType(definition.type))) return 0;
  const each = 1 + objectsBelow(field);
  // The arguments of a list say how many rows it has; its other objects count for nothing.
  if (parentType.name.endsWith('Connection')) return rowFields.has(name) ? each : 0;
  return isListType(getNullableType(definition.type)) ? itemsPerList * each : each;
}
