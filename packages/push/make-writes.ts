import { codedError } from '@gateway/base';
import { type Contract, conditionIn, type Reference } from '@gateway/contract';
import {
  afterOwnWrites,
  answerOf,
  ChangedError,
  checkBounds,
  idOf,
  prepareWrite,
  type RequestContext,
  referenceValue,
  withCodes,
} from '@gateway/rest-graph';
import { GraphQLError, type GraphQLResolveInfo } from 'graphql';
import { failed, internalError, notTriedAfter, type Outcome } from './outcome.ts';
import { mapWriteIds, mutationOf, type Need, type PlannedWrite, type WriteArgs } from './plan.ts';

/** The last part of an operation's time, in which no write begins: the reads of the answer need it. */
const lastShare = 0.1;

type Budget = RequestContext['reader']['budget'];

/** Makes the writes of a push, each after those that it needs. */
export class WriteMaker {
  readonly outcomes = new Map<PlannedWrite, Outcome>();
  readonly #context: RequestContext;
  readonly #info: GraphQLResolveInfo;
  /** The service does not accept the key of the caller. */
  #refusal: GraphQLError | undefined;

  constructor(context: RequestContext, info: GraphQLResolveInfo) {
    this.#context = context;
    this.#info = info;
  }

  /** Checks the bounds of all writes before the first is sent, and runs some chains at a time. */
  async make(chains: readonly (readonly PlannedWrite[])[]): Promise<void> {
    const { reader } = this.#context;
    for (const write of chains.flat()) this.#checkBounds(write);
    // Each write would look for the dialect itself.
    await reader.dialect(() => [this.#info.fieldName]).catch(() => {});
    const waiting = chains.values();
    const runSome = async () => {
      for (const chain of waiting) {
        const own = reader.budget.forWrites(chain.length);
        for (const write of chain)
          if (!this.outcomes.has(write)) this.outcomes.set(write, await this.#make(write, own));
        reader.budget.join(own);
      }
    };
    const width = Math.min(chains.length, Math.max(1, Math.round(reader.costs.parallelism)));
    await Promise.all(Array.from({ length: width }, runSome));
  }

  #checkBounds(write: PlannedWrite): void {
    try {
      checkBounds(mutationOf(write, this.#info.schema), write.args);
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      this.outcomes.set(write, { status: 'REFUSED', error });
    }
  }

  async #make(write: PlannedWrite, budget: Budget): Promise<Outcome> {
    const { endpoint, key } = write;
    const args = this.#resolve(write);
    if ('status' in args) return args;
    const { service, caller, loaders } = this.#context;
    const condition = conditionIn(loaders.contract.endpoint(endpoint), args);
    const content = () => [
      'push',
      endpoint,
      args.id ?? null,
      args.input,
      ...(condition === undefined ? [] : [condition]),
    ];
    const once = service.records.under(() => caller, key, content);
    const context = this.#context.beside(budget, once);
    try {
      context.scope.requireClient();
      const stop = this.#stopReason();
      const waiting = this.#waiting(write);
      if ((stop || waiting) && !(await withCodes(() => context.writes.isRecorded(endpoint)))) {
        if (waiting) return waiting;
        throw stop;
      }
      const info = mutationOf(write, this.#info.schema);
      const field = { info, args: this.#afterOwn(write, args), key: endpoint };
      const send = await withCodes(() => prepareWrite(field, context));
      const answer = await answerOf(send, field);
      return { status: once.replayed.length > 0 ? 'REPLAYED' : 'DONE', made: { answer, args } };
    } catch (error) {
      const shown = this.#shown(error, write);
      if (shown.extensions.code === 'UNAUTHENTICATED') this.#refusal = shown;
      const now = shown instanceof ChangedError ? shown.object : undefined;
      const outcome = failed(shown, context);
      return { ...outcome, ...(now && { now }), ...(outcome.status === 'UNKNOWN' && { mayBeMade: args }) };
    }
  }

  /** The arguments, where earlier updates of this push have changed the object. Its client knows of them. */
  #afterOwn({ endpoint, kind, follows }: PlannedWrite, args: WriteArgs): WriteArgs {
    const { contract } = this.#context.loaders;
    const updates = follows.filter((other) => other.kind === kind && other.args.id !== undefined);
    const own = updates.flatMap((other) => this.outcomes.get(other)?.made ?? []);
    return afterOwnWrites(contract.endpoint(endpoint), args, own) as WriteArgs;
  }

  /** The outcome of an update that must not be made before an earlier one, which could overwrite it later. */
  #waiting({ follows }: PlannedWrite): Outcome | undefined {
    for (const other of follows) {
      const outcome = this.outcomes.get(other) as Outcome;
      if (outcome.status === 'NOT_TRIED' || outcome.status === 'UNKNOWN') return notTriedAfter(other, outcome);
    }
    return undefined;
  }

  /** The arguments with ids in place of refs, or the outcome of a write that cannot have them. */
  #resolve(write: PlannedWrite): WriteArgs | Outcome {
    const ids = new Map<string, string>();
    for (const [ref, need] of write.needs) {
      const outcome = this.outcomes.get(need.write) as Outcome;
      const id = outcome.made && idIn(this.#context.loaders.contract, need, outcome.made.answer);
      if (id === undefined) return notTriedAfter(need.write, outcome);
      ids.set(ref, id);
    }
    return ids.size === 0 ? write.args : mapWriteIds(write, this.#info.schema, (id) => ids.get(id) ?? id);
  }

  /** The reason why no write may begin. */
  #stopReason(): Error | undefined {
    const { scope, startedAt } = this.#context;
    if (this.#refusal) return this.#refusal;
    const isLate = scope.due - performance.now() < lastShare * (scope.due - startedAt);
    return scope.reason || isLate ? timeIsOver() : undefined;
  }

  /** Masks an unforeseen error. The errors beside the data report it to the log. */
  #shown(error: unknown, { index }: PlannedWrite): GraphQLError {
    if (error instanceof GraphQLError) return error;
    this.#context.errors.add(this.#info, error as Error, index);
    return internalError();
  }
}

function timeIsOver(): GraphQLError {
  const message = 'The push has no time left (limits.operations.timeoutMs): send it again under the same keys.';
  return codedError('UPSTREAM_TIMEOUT', message);
}

/** The id of the object that a later write needs; undefined where the answer does not show it. */
function idIn(contract: Contract, { write: { kind }, within }: Need, answer: { id: string }): string | undefined {
  if (within === undefined) return answer.id;
  const reference = contract.references(kind)[within] ?? { to: contract.data.embedded[kind]?.[within] };
  const value = referenceValue(answer, within, reference as Reference);
  return value === null ? undefined : idOf(value);
}
