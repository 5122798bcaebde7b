import { type Field, isObject, madeOnce } from '@gateway/base';
import {
  type Contract,
  contractOf,
  type DialectName,
  isEmbedded,
  type Reference,
  type Target,
} from '@gateway/contract';
import {
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isListType,
  print,
} from 'graphql';
import type { Known } from '../load/identity-map.ts';
import { rowFields } from '../load/lists/connection.ts';
import { referenceValue } from '../load/references.ts';
import type { Below, DerivedPlan, EmbeddedPlan, Plan, ReferencePlan, TypePlan } from './plan.ts';

/** Items of a list inside an object, whose length is known only when the object has come. Most have one or two. */
const itemsPerList = 2;

const plans = new WeakMap<Field, Plan>();

/**
 * The plan of a field's selection.
 * @throws GraphQLError for a condition of @skip or @include that is null.
 */
export function planOf(field: Field): Plan {
  return madeOnce(plans, field, newPlan);
}

const plansAmong = new WeakMap<Field, Map<string, Plan>>();

/** The plan of a field's selection for objects of one of the types that the field may show. */
export function planAmong(field: Field, target: Target): Plan {
  const byTarget = madeOnce(plansAmong, field, () => new Map());
  return madeOnce(byTarget, target, () => newPlan(field, typesAmong(field, target)));
}

/** The types of the target among those that the field may show. */
function typesAmong({ objectTypes, tree: { schema } }: Field, target: Target): readonly GraphQLObjectType[] {
  const type = schema.getType(target);
  return objectTypes.filter((each) => each === type || (isAbstractType(type) && schema.isSubType(type, each)));
}

function newPlan(field: Field, objectTypes = field.objectTypes): Plan {
  const byType = new Map<string, TypePlan>();
  const plan = { byType, kindMatters: false, kindSuffices: true, needsNothing: true, objects: 0, checked: none };
  const contract = contractOf(field.tree.schema);
  for (const objectType of objectTypes) {
    const { name } = objectType;
    const { fields, namesType } = field.select(objectType);
    // Objects that no endpoint gives hold what the arguments of their field ask for. Clients send any number of texts and times.
    const asked = [field.parentType.name, field.name, ...(field.nodes[0]?.arguments ?? []).map(print)].join(' ');
    const owner = contract.data.kinds[name] ? name : asked.replace(/"(\\.|[^"\\])*"|\d{5,}/gs, '').slice(0, 100);
    const each = typePlan(contract, objectType, fields, owner);
    byType.set(name, each);
    plan.objects = Math.max(plan.objects, each.objects);
    plan.checked = union([plan, each]);
    plan.kindSuffices &&= fields.every(({ name }) => isIdOrType(name));
    const dependsOnType = namesType || fields.some(({ name }) => name === '__typename');
    plan.kindMatters ||= objectTypes.length > 1 && dependsOnType;
  }
  plan.needsNothing = plan.kindSuffices && !plan.kindMatters;
  return plan;
}

/** The known properties of an object answer the selection without a call, over a service of this dialect. */
export function covers(known: Known, plan: TypePlan, dialect: DialectName): boolean {
  if (known.complete) return true;
  const { data } = known;
  return (
    plan.keys.every((alternatives) => alternatives.some((key) => key in data)) &&
    (plan.onlyIn ?? []).every((only) => only.dialect !== dialect || only.key in data) &&
    plan.references.every(({ field, reference, plan: target }) => {
      const isBareId = reference.expandedById && typeof referenceValue(data, field, reference) === 'string';
      return !isBareId || target.needsNothing;
    }) &&
    plan.embedded.every(({ key, plan: { byType } }) => {
      const parts = [data[key]].flat().filter(isObject);
      const areCovered = (below: TypePlan) => parts.every((data) => covers({ data, complete: false }, below, dialect));
      return [...byType.values()].every(areCovered);
    })
  );
}

function typePlan(contract: Contract, type: GraphQLObjectType, fields: readonly Field[], owner: string): TypePlan {
  const keys: (readonly string[])[] = [];
  const onlyIn: { key: string; dialect: DialectName }[] = [];
  const references: ReferencePlan[] = [];
  const embedded: EmbeddedPlan[] = [];
  const derived: DerivedPlan[] = [];
  const { shown } = contract.tables(type.name);
  // The arguments of a list say how many rows it has, and the plan is for each of them.
  const isRange = type.name.endsWith('Connection');
  for (const field of fields) {
    const { name } = field;
    if (isIdOrType(name)) continue;
    const plan = field.definition.extensions.derived?.(field);
    if (plan) {
      derived.push(plan);
      continue;
    }
    const reads = shown.get(name);
    const required = contract.data.requiredKeys[type.name]?.[name];
    const dialect = contract.data.onlyIn[type.name]?.[name];
    if (dialect) {
      onlyIn.push({ key: name, dialect });
    } else if (reads?.isId) {
      keys.push(reads.keys);
    } else if (reads) {
      const plan = planOf(field);
      const { property, reference } = reads;
      references.push(placeOf(`${type.name}.${name}`, property, reference, field));
      if (reference.kindBy && !plan.needsNothing) keys.push([reference.kindBy.field]);
      // Where a service has no GET by id, the row itself is the only source of the object.
      const embeddedIn = reference.within ?? reference.details;
      const isOnlyEmbedded = embeddedIn !== undefined && !contract.isAlwaysById(reference.to) && !plan.needsNothing;
      keys.push(isOnlyEmbedded ? [embeddedIn] : reads.keys);
    } else if (required) {
      keys.push(...required);
    } else {
      keys.push([name]);
      const fieldType = field.definition.type;
      if (isCompositeType(getNamedType(fieldType))) {
        const isList = isListType(getNullableType(fieldType));
        const items = holdsRows(type) ? Number(rowFields.has(name)) : isList ? itemsPerList : 1;
        embedded.push({ name: isRange ? undefined : `${owner}.${name}`, key: name, items, plan: planOf(field) });
      }
    }
  }
  const lacked = contract.lackedOf(type.name);
  const lacking = keys.flat().some((key) => lacked.includes(key)) ? type.name : undefined;
  return newTypePlan({ keys, references, embedded, derived, lacking, ...(onlyIn.length > 0 && { onlyIn }) });
}

/** Objects of the type are the gateway's own: they hold rows of a list, all of which have an id. */
export function holdsRows({ name }: GraphQLObjectType): boolean {
  return /(Connection|Rows)$/.test(name);
}

/** The JSON keys that a field of an object shows. */
export function keysOf(contract: Contract, type: string, field: string): readonly string[] {
  return contract.tables(type).shown.get(field)?.keys ?? contract.data.requiredKeys[type]?.[field]?.flat() ?? [field];
}

/** The place of a reference that a field shows. */
export function placeOf(name: string, property: string, reference: Reference, field: Field): ReferencePlan {
  const place = referencePlan(name, property, reference, planOf(field));
  if (!reference.kindBy) return place;
  const kinds = new Set(Object.values(reference.kindBy.kinds));
  const ofKind = (kind: string) => referencePlan(name, property, { ...reference, to: kind }, planAmong(field, kind));
  return { ...place, byKind: new Map([...kinds].map((kind) => [kind, ofKind(kind)])) };
}

export function referencePlan(name: string, field: string, reference: Reference, plan: Plan): ReferencePlan {
  return { name, field, reference, items: reference.list ? itemsPerList : 1, isEmbedded: isEmbedded(reference), plan };
}

export function newTypePlan(places: Omit<TypePlan, 'isLeaf' | keyof Below>): TypePlan {
  const { references, embedded, derived, lacking } = places;
  const parts = [...references, ...embedded];
  const isLeaf =
    lacking === undefined &&
    derived.length === 0 &&
    references.every(({ plan }) => plan.needsNothing) &&
    embedded.every(({ plan: { byType } }) => [...byType.values()].every((below) => below.isLeaf));
  let objects = 0;
  for (const { items, plan } of parts) objects += items * (1 + plan.objects);
  for (const each of derived) objects += each.objects;
  const checked = union([
    { checked: derived },
    ...parts.map(({ plan }) => plan),
    ...derived.flatMap(({ below }) => below ?? []),
  ]);
  return { ...places, isLeaf, objects, checked };
}

const none: readonly DerivedPlan[] = [];

function union(parts: readonly Pick<Below, 'checked'>[]): readonly DerivedPlan[] {
  const all = parts.flatMap(({ checked }) => checked);
  return all.length === 0 ? none : [...new Set(all)];
}

function isIdOrType(name: string): boolean {
  return name === 'id' || name === '__typename';
}
