import { type ErrorCode, UpstreamError } from '@gateway/base';
import type { RequestContext } from '@gateway/rest-graph';
import { LackingEndpointError, type Parts } from '@gateway/upstream';
import { learnParts, type PartTable, partsOf } from './parts.ts';

/** Reads something that may show the object. */
export type Source = () => Promise<unknown>;

/** Ends of a source that say nothing about the others. */
const skipped: ReadonlySet<ErrorCode> = new Set([
  'NOT_FOUND',
  'FORBIDDEN',
  'UPSTREAM_ERROR',
  'UPSTREAM_INVALID_RESPONSE',
]);

/** Finds the parts of objects for one write, which may name thousands of them. Each source is read and examined once. */
export class PartLookup {
  readonly #context: RequestContext;
  readonly #table: PartTable;
  readonly #field: string;
  readonly #sources: (() => Promise<void>)[];
  /** Ids of the objects that the sources have shown. */
  readonly #shown = new Set<string>();

  /** `field`: the input field that names the parts. */
  constructor(context: RequestContext, table: PartTable, field: string, sources: readonly Source[]) {
    this.#context = context;
    this.#field = field;
    this.#table = table;
    this.#sources = sources.map((read) => {
      let reading: Promise<void> | undefined;
      return () => (reading ??= this.#learn(read));
    });
  }

  /**
   * The parts of an object. Earlier answers to this caller give them, or the object itself. Where the service
   * does not give it by id, the first source that shows it does. A part may be newer than earlier answers. Only a new
   * one can say that the object lacks it. Undefined where no answer shows the object.
   */
  async partsOf(id: string, part: string): Promise<Parts | undefined> {
    const { parts } = this.#context.loaders.knowledge;
    const known = () => partsOf(parts, this.#table, id);
    const before = known();
    if (before?.has(part)) return before;
    if (await this.#readItself(id)) return known();
    for (const read of this.#sources) {
      if (this.#shown.has(id)) break;
      await read();
    }
    return known();
  }

  /** Whether the service has said what it knows of the object. */
  async #readItself(id: string): Promise<boolean> {
    const { loaders } = this.#context;
    if (!loaders.givesById(this.#table)) return false;
    try {
      const { data } = await loaders.load(this.#table, id, this.#field);
      learnParts(loaders.knowledge.parts, data);
      return true;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (error instanceof LackingEndpointError || skipped.has(error.code)) return error.code === 'NOT_FOUND';
      throw error;
    }
  }

  async #learn(read: Source): Promise<void> {
    const { parts } = this.#context.loaders.knowledge;
    try {
      const learnt = learnParts(parts, await read());
      for (const { table, id } of learnt) if (table === this.#table) this.#shown.add(id);
    } catch (error) {
      if (!(error instanceof UpstreamError && skipped.has(error.code))) throw error;
    }
  }
}

/** The parties of a transaction that may be companies. A company shows its premiums and forms. */
export function companiesOf(
  { loaders }: RequestContext,
  field: string,
  ...ids: (string | null | undefined)[]
): Source[] {
  return ids
    .filter((id) => id != null && loaders.seen.kindOf('Entity', id) !== 'Farmer')
    .map((id) => async () => (await loaders.load('Company', id as string, field)).data);
}
