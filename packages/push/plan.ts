import { anyOf, type FieldError, fieldsRefused, isIdempotencyKey, type Json, visitInput } from '@gateway/base';
import { type Contract, conditionIn, contractOf, type EndpointName, type Kind } from '@gateway/contract';
import {
  type GraphQLArgument,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isRequiredInputField,
} from 'graphql';
import type { WriteInput } from './types.ts';

/** In all pushes of a request. */
export const maxWrites = 200;

/** @throws BAD_USER_INPUT for more writes than the pushes of one request may have together. */
export function requireFewWrites(count: number, http?: { status: number }): void {
  if (count <= maxWrites) return;
  const message = `At most ${maxWrites} writes; these are ${count}. Send them in several requests.`;
  throw fieldsRefused('A push has too many writes', [{ path: ['writes'], message }], http && { http });
}

/** The arguments of a field of Mutation. */
export type WriteArgs = { id?: string; input: Json };

/** One write of a push, whose refs name earlier writes. */
export interface PlannedWrite {
  index: number;
  key: string;
  ref: string | undefined;
  endpoint: EndpointName;
  kind: Kind;
  /** Refs stand for ids in them. */
  args: WriteArgs;
  /** The objects of earlier writes, by the ref as the input has it. */
  needs: Map<string, Need>;
  /** Writes that change the same object, and are made before. */
  follows: PlannedWrite[];
}

export interface Need {
  write: PlannedWrite;
  /** The property that has the object, for an object inside that of the write. */
  within: string | undefined;
}

/**
 * The writes of a push, with all that they need of each other.
 * @throws BAD_USER_INPUT that names each wrong key and ref.
 */
export function planPush(inputs: readonly WriteInput[], schema: GraphQLSchema): PlannedWrite[] {
  requireFewWrites(inputs.length);
  const mistakes: FieldError[] = [];
  const contract = contractOf(schema);
  const writes = inputs.map((input, index) => plannedWrite(contract, input, index));
  const byKey = new Map<string, PlannedWrite>();
  const byRef = new Map<string, PlannedWrite>();
  const allRefs = new Set(writes.map(({ ref }) => ref));
  const changes = new Map<string, PlannedWrite[]>();
  for (const write of writes) {
    const { index, key, ref } = write;
    const add = (field: string, message: string) => mistakes.push({ path: ['writes', index, field], message });
    if (!isIdempotencyKey(key)) add('key', 'Must be 1 to 255 printable characters.');
    else if (byKey.has(key)) add('key', `Another write has this key: writes.${byKey.get(key)?.index}.`);
    else byKey.set(key, write);
    mapWriteIds(write, schema, (id, place) => {
      if (id.startsWith('$')) findNeed(write, id, place);
      return id;
    });
    for (const object of objectsChangedBy(write, schema)) {
      const earlier = changes.get(object) ?? [];
      write.follows.push(...earlier);
      changes.set(object, [...earlier, write]);
    }
    if (ref === undefined) continue;
    if (!/^\w+$/.test(ref)) add('ref', 'Must have letters, digits and `_` alone.');
    else if (byRef.has(ref)) add('ref', `Another write has this ref: writes.${byRef.get(ref)?.index}.`);
    else byRef.set(ref, write);
  }
  if (mistakes.length > 0) throw fieldsRefused('The push names its writes wrongly, and nothing was sent', mistakes);
  for (const write of writes) {
    const { endpoint: name, kind, args } = write;
    const endpoint = contract.endpoint(name);
    if (endpoint.ifUnchanged?.property === undefined || conditionIn(endpoint, args) === undefined) continue;
    // A card that the object gets changes its time, and would be a conflict.
    const assignments = changes.get(holderName(contract, kind, idWithoutRef(write, args.id)));
    if (!assignments) continue;
    const before = allBefore(write);
    for (const other of assignments) if (!before.has(other)) other.follows.push(write);
  }
  return writes;

  function findNeed(write: PlannedWrite, id: string, { path, to }: IdPlace): void {
    const name = id.slice(1);
    const other = byRef.get(name);
    const found = other && to !== undefined && objectFor(other, to, schema);
    if (found) {
      write.needs.set(id, { write: other, ...found });
      return;
    }
    const message = !other
      ? allRefs.has(name)
        ? `"${id}" must be the ref of an earlier write.`
        : `No write of this push has the ref "${id}".`
      : to === undefined
        ? 'The id that is proposed for a new object cannot be a ref.'
        : `"${id}" is a ${other.kind}; this is the id of ${anyOf((contract.union(to)?.kinds ?? [to]).map((kind) => `a ${kind}`))}.`;
    const inWrite = write.args.id === undefined ? path.slice(1) : path;
    mistakes.push({ path: ['writes', write.index, 'write', write.endpoint, ...inWrite], message });
  }
}

function plannedWrite(contract: Contract, { key, ref, write }: WriteInput, index: number): PlannedWrite {
  const [[name, value] = []] = Object.entries(write);
  const endpoint = name as EndpointName;
  const { kind, idPattern } = contract.endpoint(endpoint);
  const args = (idPattern === undefined ? { input: value } : value) as WriteArgs;
  return { index, key, ref: ref ?? undefined, endpoint, kind, args, needs: new Map(), follows: [] };
}

/** A place of the arguments that takes an id. */
interface IdPlace {
  path: readonly (string | number)[];
  /** The type of the object; undefined for the id that a new object is to have. */
  to: string | undefined;
}

/** The arguments of a write, in which `map` has replaced every id. */
export function mapWriteIds(
  write: PlannedWrite,
  schema: GraphQLSchema,
  map: (id: string, place: IdPlace) => string,
): WriteArgs {
  const { kind, args } = write;
  const { inputReferences } = contractOf(schema).data;
  const entries = argumentsOf(write, schema).map(({ name, type }) => {
    const given = args[name as keyof WriteArgs];
    const mapped = visitInput(type, given, { path: [name] }, (value, of, { path, field, parentType }) => {
      if (String(of) !== 'ID' || value === null) return undefined;
      const ofArgument = name === 'id' ? kind : undefined;
      const to = field && parentType ? inputReferences[parentType.name]?.[field.name] : ofArgument;
      return map(value as string, { path, to });
    });
    return [name, mapped];
  });
  return Object.fromEntries(entries);
}

/** The field of Mutation that makes such a write by itself. */
export function mutationOf({ endpoint }: PlannedWrite, schema: GraphQLSchema) {
  return { schema, parentType: schema.getMutationType() as GraphQLObjectType, fieldName: endpoint };
}

function argumentsOf(write: PlannedWrite, schema: GraphQLSchema): readonly GraphQLArgument[] {
  const { parentType, fieldName } = mutationOf(write, schema);
  return parentType.getFields()[fieldName]?.args ?? [];
}

/**
 * Names of the object of an update, and of those inside an input. A card that comes twice is given on, in this order. A holder
 * who gets two cards ends with the second.
 */
function objectsChangedBy(write: PlannedWrite, schema: GraphQLSchema): string[] {
  const { kind, args } = write;
  const contract = contractOf(schema);
  const inside = partsOf(write, schema).flatMap(({ name, type, of }) => {
    // Equal values without an id of their own, such as addresses, are no object.
    const isObject = of !== undefined && (contract.isById(of) || contract.isListOnly(of));
    const given = isObject ? (args.input?.[name] as Json | null | undefined) : undefined;
    // A required field names the object, such as the number of a card.
    const names = Object.values(type.getFields()).flatMap((field) => (isRequiredInputField(field) ? field.name : []));
    return given && names.length > 0 ? JSON.stringify([type.name, ...names.map((each) => given[each])]) : [];
  });
  if (args.id !== undefined) return [`${kind} ${idWithoutRef(write, args.id)}`, ...inside];
  return inside.length > 0 ? [...inside, ...holdersIn(write, schema)] : [];
}

/** Names of the objects that the required ids of an input refer to. */
function holdersIn(write: PlannedWrite, schema: GraphQLSchema): string[] {
  const contract = contractOf(schema);
  const type = inputOf(write, schema);
  return Object.values(type?.getFields() ?? {}).flatMap((field) => {
    const to = contract.data.inputReferences[type?.name ?? '']?.[field.name];
    return to !== undefined && isRequiredInputField(field)
      ? holderName(contract, to, idWithoutRef(write, write.args.input[field.name]))
      : [];
  });
}

/** Ids are unique inside one id space. */
const holderName = (contract: Contract, target: string, id: unknown) => `in ${contract.tables(target).idSpace} ${id}`;

/** The id of the object, where the ref of an update stands for it. */
function idWithoutRef({ needs }: PlannedWrite, id: unknown): unknown {
  const { write, within } = needs.get(String(id)) ?? {};
  return within === undefined && write?.args.id !== undefined ? idWithoutRef(write, write.args.id) : id;
}

function allBefore(write: PlannedWrite, found = new Set<PlannedWrite>()): ReadonlySet<PlannedWrite> {
  for (const other of writesBefore(write)) {
    if (found.has(other)) continue;
    found.add(other);
    allBefore(other, found);
  }
  return found;
}

/** The writes that this one needs or follows. */
export function writesBefore({ needs, follows }: PlannedWrite): PlannedWrite[] {
  return [...Array.from(needs.values(), (need) => need.write), ...follows];
}

/** A field of an input that has an object, and the kind of the object. */
interface Part {
  name: string;
  type: GraphQLInputObjectType;
  of: string | undefined;
}

function inputOf(write: PlannedWrite, schema: GraphQLSchema): GraphQLInputObjectType | undefined {
  const input = argumentsOf(write, schema).find(({ name }) => name === 'input');
  const type = input && getNullableType(input.type);
  return isInputObjectType(type) ? type : undefined;
}

function partsOf(write: PlannedWrite, schema: GraphQLSchema): Part[] {
  const { kind } = write;
  const contract = contractOf(schema);
  return Object.values(inputOf(write, schema)?.getFields() ?? {}).flatMap(({ name, type: part }) => {
    const nullable = getNullableType(part);
    const of = contract.data.embedded[kind]?.[name] ?? contract.references(kind)[name]?.to;
    return isInputObjectType(nullable) ? { name, type: nullable, of } : [];
  });
}

/** The object of the write, or the one inside it that the place takes: the copy of a loan. */
function objectFor(write: PlannedWrite, to: string, schema: GraphQLSchema): Pick<Need, 'within'> | undefined {
  const { kind } = write;
  if (kind === to || contractOf(schema).unionWith(kind)?.name === to) return { within: undefined };
  const within = partsOf(write, schema).find(({ of }) => of === to);
  return within && { within: within.name };
}
