import { getNullableType, isListType, isObjectType } from 'graphql';
import { cheaperThanGets, isById, type ListedKind } from './loaders/by-id.ts';
import type { RowRange } from './loaders/connection.ts';
import { isListOnly } from './loaders/list-only.ts';
import { listName } from './loaders/pages.ts';
import { type Plan, planOf, type TypePlan } from './loaders/plan.ts';
import type { Reference } from './loaders/references.ts';
import { pageSize } from './rest/endpoints.ts';
import { listedAs, type ReadyOperation, type RootField, rootFieldsOf } from './root-calls.ts';

/** Calls, and beside them how many objects may be looked for in each list: its pages are counted when all are known. */
type Cost = Readonly<Record<'calls' | ListedKind, number>>;

const nothing: Cost = { calls: 0, Farmer: 0, ProductTransaction: 0, PaymentTransaction: 0 };

/**
 * The most REST calls that an operation can take of a service that keeps to its specification: its pages are as large as
 * they are asked for, what it embeds is there, and no list changes meanwhile. Infinity where only the service knows how long a list is. No object is
 * supposed to be had from somewhere else, or to be needed at two places.
 */
export function mostCalls(ready: ReadyOperation): number {
  const fields = rootFieldsOf(ready);
  const { calls, ...sought } = fields.map((field) => costOfField(ready, field, fields)).reduce(plus, nothing);
  return Object.entries(sought)
    .map(([kind, objects]) => pagesFor(kind as ListedKind, objects))
    .reduce((sum, pages) => sum + pages, calls);
}

function costOfField(ready: ReadyOperation, field: RootField, fields: readonly RootField[]): Cost {
  const { call } = field;
  const plan = planOf(ready, field.type, field.nodes);
  if (call.how === 'by id') return plus(costOfKeys({ to: call.target }, 1), costBelow(ready, plan, 1));
  if (call.how === 'write') {
    const isCompleted = isById(call.kind) && !plan.needsNothing;
    return plus(costOf(isCompleted ? 2 : 1), costBelow(ready, plan, 1));
  }
  const { needsRows, range } = call;
  if (!needsRows) return costOf(1);
  const pages = Math.ceil(range.size / pageSize);
  // Ranges that meet may be read as one, and each by itself where that fails.
  const reads = fields.some((other) => isReadWith(field, other)) ? 2 : 1;
  return plus(costOf((range.fromEnd ? 1 : 0) + reads * pages), costBelow(ready, plan, 1, range.size));
}

function isReadWith({ call }: RootField, { call: other }: RootField): boolean {
  if (call.how !== 'list' || other.how !== 'list' || !other.needsRows) return false;
  return listName(call) === listName(other) && meets(call.range, other.range);
}

function meets(a: RowRange, b: RowRange): boolean {
  const areEqual = a.start === b.start && a.size === b.size;
  // Where the end of the list is turns out later: ranges that are counted from there meet each other, if any.
  if (areEqual || a.fromEnd !== b.fromEnd) return false;
  return a.fromEnd || (a.start <= b.start + b.size && b.start <= a.start + a.size);
}

/** Of what `rows` objects refer to, whichever of its types they are. `length`: items of each list in an object. */
function costBelow(ready: ReadyOperation, plan: Plan, rows: number, length = Number.POSITIVE_INFINITY): Cost {
  return [...plan.byType]
    .map(([type, typePlan]) => costOfType(ready, type, typePlan, rows, length))
    .reduce(either, nothing);
}

function costOfType(ready: ReadyOperation, type: string, plan: TypePlan, rows: number, length: number): Cost {
  const costs: Cost[] = [];
  for (const { reference, plan: target } of plan.references) {
    if (target.needsNothing) continue;
    const keys = reference.list ? rows * length : rows;
    costs.push(costOfKeys(reference, keys), costBelow(ready, target, keys));
  }
  for (const { key, plan: items } of plan.embedded) {
    costs.push(costBelow(ready, items, isList(ready, type, key) ? rows * length : rows));
  }
  return costs.reduce(plus, nothing);
}

/** Of loading so many objects that are referred to at one place. */
function costOfKeys(reference: Pick<Reference, 'to' | 'details' | 'leafless' | 'expandedById'>, keys: number): Cost {
  const { to } = reference;
  if (isListOnly(to)) {
    const isEmbedded = reference.details !== undefined || reference.leafless || reference.expandedById;
    return isEmbedded ? nothing : costOf(Number.POSITIVE_INFINITY);
  }
  // The wrong endpoint may be asked first.
  if (to === 'Entity') return costOf(2 * keys, listedAs(to), keys);
  return isById(to) ? costOf(keys, listedAs(to), keys) : nothing;
}

/** Pages that may be read in vain before the GETs: fewer than there are objects, and one to learn how long the list is. */
function pagesFor(kind: ListedKind, objects: number): number {
  const { known, unknown } = cheaperThanGets(kind).maxCalls(objects);
  return Math.max(0, unknown + known);
}

function isList({ schema }: ReadyOperation, type: string, field: string): boolean {
  const holder = schema.getType(type);
  const definition = isObjectType(holder) ? holder.getFields()[field] : undefined;
  return definition !== undefined && isListType(getNullableType(definition.type));
}

function costOf(calls: number, sought?: ListedKind, keys = 0): Cost {
  return { ...nothing, calls, ...(sought && { [sought]: keys }) };
}

function plus(a: Cost, b: Cost): Cost {
  return combined(a, b, (x, y) => x + y);
}

function either(a: Cost, b: Cost): Cost {
  return combined(a, b, Math.max);
}

function combined(a: Cost, b: Cost, combine: (x: number, y: number) => number): Cost {
  const parts = Object.keys(nothing) as (keyof Cost)[];
  return Object.fromEntries(parts.map((part) => [part, combine(a[part], b[part])])) as Cost;
}
