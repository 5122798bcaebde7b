import { anyOf, type Field, type Json, UpstreamError } from '@gateway/base';
import type { ListReader, RequestContext } from '@gateway/rest-graph';
import { type CallOrigin, isRow } from '@gateway/upstream';
import type { CandidateField, Comparison, IdentifyData } from './data.ts';
import { keyOfValue, textOf } from './entries.ts';
import { IndexReader } from './index-reader.ts';
import { betweenCodes, isAlike } from './likeness.ts';

type Row = Json & { id: string };

export interface Candidate {
  row: Row;
  /** The names of the comparisons in which it agrees. */
  agree: string[];
}

interface FoundCandidates {
  /** Those that agree in most first, then by id. */
  candidates: Candidate[];
  complete: boolean;
  reason: string | null;
}

interface Sought {
  data: IdentifyData;
  asked: ReadonlyMap<string, Comparison>;
  input: Readonly<Record<string, unknown>>;
}

/** Calls of one search. A field app asks before each new object. */
const maxCalls = 3;

/** Rows of a call. */
const pageRows = 100;

/** The search for candidates of one request. */
export class CandidateSearch {
  readonly #field: Field;
  readonly #candidate: CandidateField;
  readonly #sought: Sought;
  readonly #context: RequestContext;
  readonly #reader: IndexReader;
  readonly #rows = new Map<string, Row>();
  readonly #reasons: string[] = [];
  #callsLeft = maxCalls;

  constructor(field: Field, sought: Sought, context: RequestContext) {
    this.#field = field;
    this.#candidate = sought.data.candidates[field.name] as CandidateField;
    this.#sought = sought;
    this.#context = context;
    this.#reader = new IndexReader(this.#candidate.list, sought.data, context, field.key);
  }

  async find(): Promise<FoundCandidates> {
    if (this.#reader.isThere || !(await this.#lookThrough())) {
      await this.#readFiltered();
      await this.#readIndexed();
    }
    const { asked, input } = this.#sought;
    const candidates = [...this.#rows.values()].flatMap((row) => {
      const agree = [...asked].filter(([, comparison]) => agrees(comparison, row, input)).map(([name]) => name);
      return agree.length > 0 ? { row, agree } : [];
    });
    candidates.sort((a, b) => b.agree.length - a.agree.length || (a.row.id < b.row.id ? -1 : 1));
    const reason = this.#reasons.length === 0 ? null : this.#reasons.join(' ');
    return { candidates, complete: reason === null, reason };
  }

  /** Reads a list that is short enough. Returns whether it is. */
  async #lookThrough(): Promise<boolean> {
    const list = this.#reader.lists.of(this.#candidate.list);
    if (list.length === undefined) {
      this.#callsLeft -= 1;
      await this.#read(list);
    }
    const { length = Number.POSITIVE_INFINITY, pages } = list;
    const from = pages.prefix.length;
    if (length - from > this.#callsLeft * pageRows) {
      this.#add(pages.rowsFrom(0));
      return false;
    }
    const offsets = Array.from({ length: Math.ceil((length - from) / pageRows) }, (_, page) => from + page * pageRows);
    await Promise.all(offsets.map((offset) => this.#read(list, offset)));
    await this.#reader.look();
    this.#add(list.pages.rowsFrom(0));
    if (this.#reader.reason) this.#reasons.push(this.#reader.reason);
    return true;
  }

  /** The rows that share what the list filters by. */
  async #readFiltered(): Promise<void> {
    const { asked, input } = this.#sought;
    const reads = [...asked.values()].flatMap((comparison) => {
      const given = comparison.filters.filter((property) => textOf(input, [property]) !== '');
      return given.length === 0 ? [] : [{ comparison, given }];
    });
    this.#callsLeft -= reads.length;
    await Promise.all(reads.map(({ comparison, given }) => this.#readFilteredBy(given, comparison)));
  }

  async #readFilteredBy(properties: readonly string[], comparison: Comparison): Promise<void> {
    const { input } = this.#sought;
    const wordIn = (name: string) => wordOf(textOf(input, [name]), name, comparison);
    const filters = Object.fromEntries(properties.map((name) => [name, wordIn(name)]));
    const list = this.#context.loaders.lists.of(this.#candidate.list, filters);
    const names = quoted(properties);
    const page = await this.#read(list).catch((error: unknown) => {
      if (!(error instanceof UpstreamError) || error.code !== 'BAD_USER_INPUT') throw error;
      this.#reasons.push(`The service does not filter by ${names}.`);
      return { rows: [], count: 0 };
    });
    const { rows, count } = page;
    this.#add(rows);
    if (count > pageRows)
      this.#reasons.push(`${count.toLocaleString('en')} rows are similar by ${names}, and 100 were compared.`);
    else if (!rows.every(isRow)) this.#reasons.push(`The service fails on a row that is similar by ${names}.`);
  }

  /** The rows that share values, as far as the gateway has looked through the list for the caller. */
  async #readIndexed(): Promise<void> {
    const { asked, input } = this.#sought;
    const reader = this.#reader;
    const unfiltered = [...asked].filter(([, { filters }]) => filters.length === 0);
    if (!reader.isThere) {
      if (unfiltered.length === 0) return;
      const names = quoted(unfiltered.map(([name]) => name));
      this.#reasons.push(
        `The service does not filter by ${names}. Only rows that are similar otherwise were compared.`,
      );
      return;
    }
    const found = (by: Iterable<readonly [name: string, comparison: Comparison]>) =>
      [...by].flatMap(([name, comparison]) => {
        const key = keyOfValue(`${this.#field.name}.${name}`, comparison, textOf(input, comparison.of));
        return key === undefined ? [] : reader.known.index.find(key).map(({ id }) => id);
      });
    const isFound = found(unfiltered).length > 0;
    // Somebody else may just have created what nobody has found. Filters show that.
    const mayBeNew = unfiltered.length > 0 && !isFound;
    if ((mayBeNew || !reader.isCurrent) && this.#callsLeft > (isFound ? 1 : 0)) {
      this.#callsLeft -= 1;
      this.#add(await reader.readFewChanges());
    }
    const ids = [...new Set(found(asked))].filter((id) => !this.#rows.has(id)).sort();
    const loaded = ids.slice(0, Math.max(0, this.#callsLeft));
    await Promise.all(loaded.map((id) => this.#load(id)));
    if (loaded.length < ids.length) this.#reasons.push(`${ids.length - loaded.length} more rows may be similar.`);
    if (unfiltered.length === 0) return;
    if (!reader.isCurrent) this.#reasons.push('Rows that have changed in the last minutes may be missing.');
    if (reader.reason) this.#reasons.push(reader.reason);
  }

  async #load(id: string): Promise<void> {
    try {
      const { data } = await this.#context.loaders.load(this.#candidate.kind, id, this.#field.key);
      this.#add([data]);
    } catch (error) {
      if (!(error instanceof UpstreamError) || error.code !== 'NOT_FOUND') throw error;
      this.#reader.correct(id, undefined);
    }
  }

  #add(rows: readonly unknown[]): void {
    for (const row of rows) if (isRow(row)) this.#rows.set(row.id, row);
  }

  /** One page in one call, though more smaller ones might take less time. */
  #read(list: ListReader, offset = 0): Promise<{ rows: unknown[]; count: number }> {
    const origin: CallOrigin = { reason: 'list scan', fields: () => [this.#field.key] };
    return list.range({ offset, limit: pageRows }, { origin, isOnePage: true });
  }
}

function quoted(names: readonly string[]): string {
  return anyOf(names.map((name) => `\`${name}\``));
}

function agrees({ of, as }: Comparison, row: Json, input: Readonly<Record<string, unknown>>): boolean {
  return isAlike[as](textOf(row, of), textOf(input, of));
}

/**
 * A part of the text of a property that is the same in each spelling. Between words, the service may have stored more
 * spaces. However a name is divided, the first property has its first word, and the last one has its last word.
 */
function wordOf(text: string, property: string, { of, as }: Comparison): string {
  const words = text
    .normalize('NFC')
    .split(as === 'codes' ? betweenCodes : /\s+/u)
    .filter(Boolean);
  const [first = ''] = words;
  if (of.length > 1) return property === of[0] ? first : (words.at(-1) as string);
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}
