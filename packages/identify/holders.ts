import { codedError, type Field, fieldOf, type Json, UpstreamError } from '@gateway/base';
import { type Contract, contractOf } from '@gateway/contract';
import {
  plannedRoot,
  planOf,
  ReferenceLoader,
  type RequestContext,
  type RootCall,
  type RootPlan,
  requireKey,
  type TypePlan,
  withCodes,
} from '@gateway/rest-graph';
import { fromUpstreamError } from '@gateway/upstream';
import type { GraphQLResolveInfo } from 'graphql';
import type { HolderField, IdentifyData } from './data.ts';
import { keyOfThing } from './entries.ts';
import { IndexReader } from './index-reader.ts';
import { foldedCode } from './likeness.ts';
import { type Entry, newestOf } from './row-index.ts';

type HolderArgs = Readonly<Record<string, string>>;

/** The value of the field. The holder is its id. */
interface Found {
  holder: string | null;
  complete: boolean;
  reason: string | null;
}

interface HolderPlan extends RootPlan {
  text: string;
}

export function dataOf({ data }: Contract): IdentifyData {
  return data.parts.identify as IdentifyData;
}

/** Finds who holds a thing. */
export const holder = { resolve: readHolder, extensions: { plan } };

/** A look through each list at most, and one object. */
function plan(field: Field, args: HolderArgs): HolderPlan {
  const contract = contractOf(field.tree.schema);
  const { argument, lists } = dataOf(contract).holders[field.name] as HolderField;
  const text = args[argument] as string;
  if (foldedCode(text) === '') {
    const message = `\`${argument}\` is empty.`;
    throw codedError('BAD_USER_INPUT', message, { fields: [{ path: [argument], message }], http: { status: 400 } });
  }
  const plan = planOf(field);
  const calls = lists.map((endpoint, index): RootCall => {
    const objects = index === 0 ? 1 : 0;
    return { plan, how: 'look', endpoint, filters: {}, objects, mayBeKnown: true };
  });
  return { objects: 1 + plan.objects, calls, text };
}

async function readHolder(
  _parent: unknown,
  args: HolderArgs,
  context: RequestContext,
  info: GraphQLResolveInfo,
): Promise<Found> {
  requireKey(context);
  const { text } = plannedRoot(plan, args, context, info);
  const field = fieldOf(info);
  const [typePlan] = planOf(field).byType.values();
  const search = new HolderSearch(field, text, typePlan, context);
  const found = await withCodes(() => search.find());
  await new ReferenceLoader(context.loaders).resolveAll([{ object: found as unknown as Json, plan: typePlan }]);
  context.scope.requireClient();
  return found;
}

/** An entry, and the list that it comes from. */
interface Hit {
  entry: Entry;
  reader: IndexReader;
}

/** How often a thing may change hands while the gateway looks for its holder. */
const maxAttempts = 3;

class HolderSearch {
  readonly #field: Field;
  readonly #data: HolderField;
  readonly #readers: readonly IndexReader[];
  /** Keys of the thing, the one that counts most first. */
  readonly #keys: readonly string[];
  readonly #plan: TypePlan | undefined;
  readonly #context: RequestContext;
  /** Errors of lists. */
  readonly #failed = new Map<IndexReader, unknown>();

  constructor(field: Field, text: string, plan: TypePlan | undefined, context: RequestContext) {
    const { contract } = context.loaders;
    const data = dataOf(contract);
    this.#field = field;
    this.#data = data.holders[field.name] as HolderField;
    this.#readers = this.#data.lists.map((list) => new IndexReader(list, data, context, field.key));
    const places = Math.max(...this.#data.lists.map((list) => data.lists[list]?.holders[field.name]?.by.length ?? 0));
    this.#keys = Array.from({ length: places }, (_, place) => keyOfThing(field.name, place, text));
    this.#plan = plan;
    this.#context = context;
  }

  /** @throws the error of a list, where no other list shows a holder. */
  async find(): Promise<Found> {
    for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
      await this.#each((reader) => reader.update());
      // Somebody may have given the thing away just now.
      if (!this.#newest) await this.#each(async (reader) => this.#isOfHolders(reader) && reader.readFewChanges());
      if (!this.#newest) await this.#each((reader) => reader.update());
      if (!this.#newest) await this.#each((reader) => reader.lookOn());
      const hit = this.#newest;
      const [error] = this.#failed.values();
      if (!hit && error !== undefined) throw error;
      if (!hit || (await this.#stillHolds(hit))) return this.#found(hit?.entry.id ?? null);
      for (const { known } of this.#readers) known.invalidate();
    }
    const reason = 'The holder changes while the gateway looks. Ask again.';
    return { holder: null, complete: false, reason };
  }

  /** The lists are read side by side. One that fails hides no holder that another one shows. */
  async #each(read: (reader: IndexReader) => Promise<unknown>): Promise<void> {
    const reads = this.#readers.map(async (reader) => {
      if (this.#failed.has(reader)) return;
      try {
        await read(reader);
      } catch (error) {
        this.#failed.set(reader, error);
      }
    });
    await Promise.all(reads);
  }

  /** The newest assignment of the thing. A name that counts less is for things that no other name finds. */
  get #newest(): Hit | undefined {
    for (const key of this.#keys) {
      const hits = this.#readers.flatMap((reader) =>
        reader.known.index.find(key).map((entry): Hit => ({ entry, reader })),
      );
      const newest = newestOf(hits.map(({ entry }) => entry));
      const hit = hits.find(({ entry }) => entry === newest);
      if (hit) return hit;
    }
    return undefined;
  }

  #isOfHolders(reader: IndexReader): boolean {
    return reader.givesHolders(this.#field.name);
  }

  /** Loads the holder for the selection. One that is a row of the list shows whether the index is right. */
  async #stillHolds({ entry: { id, key }, reader }: Hit): Promise<boolean> {
    const { loaders } = this.#context;
    const { target } = this.#data;
    if (!this.#isOfHolders(reader)) return true;
    if (loaders.contract.unionWith(reader.kind)) loaders.knowledge.learnKind(id, reader.kind);
    const reference = this.#plan?.references.find(({ field }) => field === 'holder');
    if (!reference || reference.plan.needsNothing) return true;
    let row: Json;
    try {
      row = (await loaders.load(target, id, this.#field.key, reference.reference)).data;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      // The answer has the error of any other failure beside the id of the holder.
      if (error.code !== 'NOT_FOUND') return true;
      reader.correct(id, undefined);
      return false;
    }
    if (!reader.entries.isShown(this.#field.name, row)) return true;
    reader.correct(id, row);
    return reader.known.index.find(key).some((entry) => entry.id === id);
  }

  #found(holder: string | null): Found {
    const reasons = this.#readers.flatMap((reader) => {
      const error = this.#failed.get(reader);
      if (error !== undefined) return error instanceof UpstreamError ? fromUpstreamError(error).message : String(error);
      return reader.reason ?? [];
    });
    return { holder, complete: reasons.length === 0, reason: reasons.length === 0 ? null : reasons.join(' ') };
  }
}
