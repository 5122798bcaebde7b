import { AnswerLimit, type ExecutionArgs, execute, isObject, type Json } from '@gateway/base';
import type { FormatError } from '@gateway/graphql-serve';
import type { RequestContext } from '@gateway/rest-graph';
import type { ExecutionResult, GraphQLError, GraphQLFormattedError } from 'graphql';
import type { DeferredFragment, Piece, Split } from './split.ts';
import { type Added, ByPath, isBelow, type NewFields, type Path, placesOf, takeNew } from './take-new.ts';

interface Pending {
  id: string;
  path: Path;
  label?: string;
}

interface Incremental {
  id: string;
  /** From the path of the pending fragment to the object of the data. */
  subPath?: Path;
  data: Json;
  errors?: GraphQLFormattedError[];
}

/** The first part of an answer, by the draft of the GraphQL specification. */
export interface FirstPart {
  errors?: GraphQLFormattedError[];
  data: Json | null;
  pending?: readonly Pending[];
}

/** A later part. */
export interface LaterPart {
  incremental?: Incremental[];
  completed: { id: string; errors?: readonly GraphQLFormattedError[] }[];
}

/** A deferred fragment, and the objects of the first part that it adds fields to. */
interface Expected {
  fragment: DeferredFragment;
  pending: readonly Pending[];
}

/**
 * Executes an operation part by part, over one context: nothing is loaded twice. A part has all of its fragment that
 * the parts before it lack. Merged, the parts are the answer without `@defer`.
 */
export class PartsOfAnswer {
  readonly #args: ExecutionArgs;
  readonly #context: RequestContext;
  readonly #formatError: FormatError;
  /** Everything that the client has. */
  #sent: Json = {};
  /** Errors that the client has. */
  readonly #shown = new Set<string>();
  #lastId = 0;

  constructor(args: ExecutionArgs, context: RequestContext, formatError: FormatError) {
    this.#args = args;
    this.#context = context;
    this.#formatError = formatError;
  }

  async first({ initial, deferred }: Split): Promise<{ part: FirstPart; expected: readonly Expected[] }> {
    const { data, errors } = await this.#execute(initial);
    const expected = deferred
      .map((fragment) => ({ fragment, pending: this.#pendingAt(fragment, data) }))
      .filter(({ pending }) => pending.length > 0);
    if (isObject(data)) this.#sent = data;
    const pending = expected.flatMap((each) => each.pending);
    const shown = this.#newErrors(errors);
    const part = {
      ...(shown.length > 0 && { errors: shown }),
      data: data as Json | null,
      ...(pending.length > 0 && { pending }),
    };
    return { part, expected };
  }

  /** Resolves when the fragment has come everywhere. */
  async later({ fragment, pending }: Expected): Promise<LaterPart> {
    const { data, errors } = await this.#execute(fragment);
    const added = isObject(data) ? takeNew(this.#sent, data) : { fields: [], lost: [[]] };
    const incremental = incrementalOf(added, pending);
    const unplaced: GraphQLFormattedError[] = [];
    const entries = new ByPath(incremental, ({ at }) => at.path);
    for (const error of this.#newErrors(errors)) {
      const at = placeOf(error, entries);
      if (at) at.errors = [...(at.errors ?? []), error];
      else unplaced.push(error);
    }
    const isLost = ({ path }: Pending) => added.lost.some((lost) => isBelow(path, lost) || isBelow(lost, path));
    const completed = pending.map((each) => {
      const own = isLost(each)
        ? unplaced.filter(({ path = [] }) => isBelow(path, each.path) || isBelow(each.path, path))
        : [];
      return { id: each.id, ...(own.length > 0 && { errors: own }) };
    });
    const placed = new Set(completed.flatMap(({ errors = [] }) => errors));
    const beside = unplaced.filter((error) => !placed.has(error));
    const failed = new Set(completed.flatMap(({ id, errors }) => (errors ? id : [])));
    const shown: Incremental[] = incremental.filter(({ id }) => !failed.has(id)).map(({ at: _at, ...entry }) => entry);
    const [first] = pending as [Pending];
    if (beside.length > 0) shown.push({ id: first.id, data: {}, errors: beside });
    return { ...(shown.length > 0 && { incremental: shown }), completed };
  }

  /** Bounded as an answer of its own. Its memory is that of the operation. */
  async #execute(piece: Piece): Promise<ExecutionResult> {
    const { service, scope } = this.#context;
    const answer = new AnswerLimit(service.limits, (bytes) => scope.hold(bytes));
    return execute({ ...this.#args, ...piece, contextValue: this.#context, answer });
  }

  #pendingAt({ label, keys }: DeferredFragment, data: unknown): Pending[] {
    return placesOf(data, keys).map((path) => {
      this.#lastId += 1;
      return { id: String(this.#lastId - 1), path, ...(label !== undefined && { label }) };
    });
  }

  /** Errors in place of values, and those beside them. A field that two parts execute has its error once. */
  #newErrors(errors: readonly GraphQLError[] = []): GraphQLFormattedError[] {
    const { errors: beside } = this.#context;
    return [...errors.map((error) => beside.causeOf(error)), ...beside.list].flatMap((error) => {
      const name = JSON.stringify([error.path, error.message]);
      if (this.#shown.has(name)) return [];
      this.#shown.add(name);
      return this.#formatError(error);
    });
  }
}

interface Entry extends Incremental {
  at: NewFields;
}

function incrementalOf({ fields }: Added, pending: readonly Pending[]): Entry[] {
  const owners = new ByPath(pending, ({ path }) => path);
  return fields.flatMap((at) => {
    const [owner] = owners.above(at.path);
    if (!owner) return [];
    const subPath = at.path.slice(owner.path.length);
    return { at, id: owner.id, ...(subPath.length > 0 && { subPath }), data: at.data };
  });
}

function placeOf({ path = [] }: GraphQLFormattedError, entries: ByPath<Entry>): Entry | undefined {
  return entries.above(path).find(({ at }) => Object.hasOwn(at.data, String(path[at.path.length] ?? '')));
}
