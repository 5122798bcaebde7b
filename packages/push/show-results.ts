import { fieldOf, isObject, type Json, madeOnce } from '@gateway/base';
import type { Contract, Target } from '@gateway/contract';
import {
  completed,
  learn,
  notStored,
  planOf,
  ReferenceLoader,
  type RequestContext,
  type Row,
} from '@gateway/rest-graph';
import type { GraphQLObjectType, GraphQLResolveInfo } from 'graphql';
import { lasting, withChangedIds, withoutStates } from './lasting.ts';
import { type Outcome, toWriteError } from './outcome.ts';
import { mutationOf, type PlannedWrite } from './plan.ts';

interface Shown {
  write: PlannedWrite;
  /** Undefined for an object that another client has changed. */
  made: Outcome['made'];
  data: Row;
}

type Made = Shown & { made: NonNullable<Outcome['made']> };

/**
 * The results of a push, in the order of its writes. All reads for the selections come after the last write. The
 * objects share these reads, as the rows of a list do.
 */
export async function showResults(
  outcomes: ReadonlyMap<PlannedWrite, Outcome>,
  writes: readonly PlannedWrite[],
  context: RequestContext,
  info: GraphQLResolveInfo,
): Promise<Json[]> {
  context.renewLoaders();
  const shown = writes.flatMap((write) => {
    const { made, now } = outcomes.get(write) as Outcome;
    const data = made?.answer ?? now;
    return data ? [{ write, made, data } satisfies Shown] : [];
  });
  const written = shown.filter(isMade);
  const { contract } = context.loaders;
  const kinds = kindsThatName(outcomes);
  const changed = changedLater(outcomes);
  const updates = answersOfUpdates(outcomes, contract);
  const ended = written.filter(({ write }) => changed.has(write) && context.loaders.givesById(write.kind));
  const endedNames = ended.map(({ write, data }) => objectName(contract, write.kind, data.id));
  const names = new Set([...updates.keys(), ...endedNames]);
  for (const object of written) {
    const { kind } = object.write;
    const others = kinds.get(object.data.id);
    const update = updates.get(objectName(contract, kind, object.data.id));
    // Fields that the answer of the update lacks may have changed with it.
    if (update) object.data = update;
    if (others && context.loaders.givesById(kind)) {
      object.data = lasting(contract, { kind, answer: object.data, args: object.made.args }, others);
    }
    if (changed.has(object.write) && object.made.args.id === undefined)
      object.data = withoutStates(contract, { kind, answer: object.data });
    object.data = withChangedIds(contract, { type: kind, answer: object.data }, (target, id) =>
      names.has(objectName(contract, target, id)),
    ) as Row;
    learn(info.schema, context, kind, object.data);
  }
  const changedSince = shown.filter(({ write: { kind }, made, data: { id } }) => {
    return !made && (kinds.has(id) || updates.has(objectName(contract, kind, id)));
  });
  for (const object of changedSince) object.data = { id: object.data.id };
  const partial = new Set([...written, ...changedSince]);
  for (const object of shown) if (!partial.has(object)) context.loaders.seen.add(object.write.kind, object.data, true);
  await Promise.all([...partial].map((object) => complete(object, context, info)));
  await Promise.all(
    objectFields(info).map((field) => {
      const { byType } = planOf(field);
      const rows = shown.map(({ write, data }) => ({ object: data, plan: byType.get(write.kind) }));
      // The first answer with an object inside shows it, so the latest comes first.
      return new ReferenceLoader(context.loaders).resolveAll(rows.toReversed());
    }),
  );
  const objects = new Map(shown.map((object) => [object.write, object]));
  const named = namedIds(outcomes);
  return writes.map((write) => {
    const { status, error } = outcomes.get(write) as Outcome;
    const object = objects.get(write);
    const problem = object && isMade(object) ? difference(object, named, info) : error;
    return {
      key: write.key,
      ref: write.ref,
      status,
      object: object && { ...object.data, __typename: write.kind },
      error: problem && toWriteError(problem),
    };
  });
}

function isMade(shown: Shown): shown is Made {
  return shown.made !== undefined;
}

/** Every alias of `object` is a field of its own. */
function objectFields(info: GraphQLResolveInfo) {
  const field = fieldOf(info);
  return field.select(field.objectTypes[0] as GraphQLObjectType).fields.filter(({ name }) => name === 'object');
}

/** Reads what is not known of the object. A write has happened even if that read fails. */
async function complete(shown: Shown, context: RequestContext, info: GraphQLResolveInfo): Promise<void> {
  const { write, made } = shown;
  const { kind, endpoint, index } = write;
  const fields = objectFields(info);
  const plans = fields.flatMap((field) => planOf(field).byType.get(kind) ?? []);
  const field = { info: mutationOf(write, info.schema), args: made?.args ?? {}, key: endpoint };
  const { data, failure } = await completed(field, context, { answer: shown.data, plans });
  shown.data = data;
  if (failure) context.errors.addFailedRead(info, failure, [index, ...fields.slice(0, 1).map(({ key }) => key)]);
}

/** The kinds of the writes that name an id in their input, by the id. */
function kindsThatName(outcomes: ReadonlyMap<PlannedWrite, Outcome>): Map<string, Set<string>> {
  const kinds = new Map<string, Set<string>>();
  for (const [{ kind }, { made, mayBeMade }] of outcomes) {
    // The id that is proposed for a new object names no other one.
    const { id: _, ...named } = (made?.args ?? mayBeMade)?.input ?? {};
    for (const id of textsIn(named)) madeOnce(kinds, id, () => new Set()).add(kind);
  }
  return kinds;
}

/** The writes whose objects later ones have changed, or may have. */
function changedLater(outcomes: ReadonlyMap<PlannedWrite, Outcome>): Set<PlannedWrite> {
  const later = Array.from(outcomes, ([{ follows }, { made, mayBeMade }]) => (made || mayBeMade ? follows : []));
  return new Set(later.flat());
}

/** The answers of the last updates, by the object that they have changed, or may have. */
function answersOfUpdates(outcomes: ReadonlyMap<PlannedWrite, Outcome>, contract: Contract): Map<string, Row> {
  const answers = new Map<string, Row>();
  for (const [{ kind }, { made, mayBeMade }] of outcomes) {
    const id = (made?.args ?? mayBeMade)?.id;
    // Without an answer, nothing but the id is sure.
    if (id !== undefined) answers.set(objectName(contract, kind, id), made?.answer ?? { id });
  }
  return answers;
}

/** Ids are unique inside one id space. */
const objectName = (contract: Contract, target: Target, id: unknown) => `${contract.tables(target).idSpace} ${id}`;

/** How many writes of the push name an id, as their own object or in their input. */
function namedIds(outcomes: ReadonlyMap<PlannedWrite, Outcome>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { made, mayBeMade } of outcomes.values()) {
    const ids = new Set(textsIn([made?.answer.id, made?.args ?? mayBeMade]));
    for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * INPUT_NOT_STORED where the service stores something else. If another write names the object, it may have changed the
 * object since, so the answer alone counts.
 */
function difference({ write, made, data }: Made, named: ReadonlyMap<string, number>, info: GraphQLResolveInfo) {
  const isAlone = named.get(made.answer.id) === 1;
  return notStored(
    { info: mutationOf(write, info.schema), args: made.args },
    isAlone ? { ...data, ...made.answer } : made.answer,
  );
}
