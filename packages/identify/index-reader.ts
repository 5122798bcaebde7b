import { type Json, UpstreamError } from '@gateway/base';
import type { EndpointName } from '@gateway/contract';
import { type Filters, filtersOf, mostRowsOf, type RequestContext } from '@gateway/rest-graph';
import { type CallOrigin, DateTime, isRow } from '@gateway/upstream';
import type { IdentifyData, IndexedList } from './data.ts';
import { Entries } from './entries.ts';
import { type AllKnownRows, type KnownRows, knownRowsOf } from './known-rows.ts';

/** The service's clock is known to a second, and shows a write some time after it gave it its time. */
const overlapMs = 10_000;

/** Reads one list into its index, as one request needs it. */
export class IndexReader {
  readonly entries: Entries;
  readonly known: KnownRows;
  readonly #endpoint: EndpointName;
  readonly #list: IndexedList;
  readonly #context: RequestContext;
  readonly #all: AllKnownRows;
  /** The field that needs the rows. */
  readonly #field: string;
  /** This request has read the list. */
  #isRead = false;
  /** When this request began to look through the list, as far as one request does. Its pages come once. */
  #lookedAt: number | undefined;

  constructor(endpoint: EndpointName, data: IdentifyData, context: RequestContext, field: string) {
    const { upstream } = context.service;
    this.#endpoint = endpoint;
    this.#list = data.lists[endpoint] as IndexedList;
    this.#context = context;
    this.#field = field;
    this.#all = knownRowsOf(upstream, data);
    this.entries = new Entries(upstream.contract, data, endpoint);
    this.known = this.#all.of(context.caller, endpoint);
  }

  get kind(): string {
    return this.#list.kind;
  }

  /** The rows of the list are the holders themselves. */
  givesHolders(field: string): boolean {
    return this.#list.holders[field]?.holder === undefined;
  }

  /** Puts a row into the index as it is now. Undefined for a row that is gone. */
  correct(id: string, row: Json | undefined): void {
    this.known.index.set(id, row === undefined ? [] : this.entries.of({ ...row, id }));
  }

  /** Where the whole list is read: past the cache, because the index holds for as long again. */
  get lists() {
    const { loaders, service } = this.#context;
    return service.upstream.listCache.caches(this.#endpoint) ? loaders.uncachedLists : loaders.lists;
  }

  /** The gateway has looked through the list for the caller, and may answer from that. */
  get isThere(): boolean {
    return this.known.seen !== undefined && (this.#isRead || !this.#context.reader.isFresh);
  }

  /** The index is as new as it needs to be. */
  get isCurrent(): boolean {
    if (this.#isRead) return this.known.isCurrent;
    const { service, caller, reader } = this.#context;
    const { listCache, callers } = service.upstream;
    if (this.#list.writes.some((write) => listCache.isUnsettled(caller, write))) return false;
    return this.known.isCurrent && !reader.isFresh && !callers.hasExpired(caller);
  }

  /** Makes the index current, by the rows that have changed where the list has a filter for them. */
  async update(): Promise<void> {
    const { changes } = this.#list;
    if (this.isThere && this.isCurrent) return;
    if (!this.isThere || changes === undefined || this.known.isDoubtful) await this.look();
    else await this.#readChanges(changes);
  }

  /** Looks through the list from its first row on. */
  async look(): Promise<void> {
    const { known } = this;
    this.#lookedAt ??= performance.now();
    const look = this.#context.loaders.look(this.#endpoint, undefined, this.lists);
    const { rows, complete, reason } = await look.rows(this.#field);
    const { length, count } = look.list.pages.prefix;
    known.clear();
    known.seen = { rows: length, last: rows.at(-1)?.id as string | undefined, of: count };
    this.#add(rows);
    // A look that stops at a bound has another reason too, which is no gap.
    if (!complete && (rows.length < length || !known.isUnfinished)) known.gap = reason ?? undefined;
    this.#learn(this.#lookedAt);
  }

  /** Goes on where the look has stopped. */
  async lookOn(): Promise<void> {
    const { known } = this;
    const { seen, isUnfinished } = known;
    if (!seen || !isUnfinished || this.#lookedAt !== undefined) return;
    this.#lookedAt = performance.now();
    const list = this.lists.of(this.#endpoint);
    // The last row of the look comes again, unless rows have gone.
    const { setting } = list;
    const limit = Math.min(mostRowsOf(setting), Math.ceil(setting.callsLeft / 2) * setting.pageSize);
    const range = { offset: Math.max(0, seen.rows - 1), limit };
    const page = await list.reads.readInTime((scope) => list.range(range, { origin: this.#origin, scope }));
    const [first] = page.rows;
    if (isRow(first) && first.id !== seen.last) {
      await this.look();
      return;
    }
    const rows = page.rows.filter(isRow);
    this.#add(rows);
    const last = rows.at(-1)?.id ?? seen.last;
    known.seen = { rows: range.offset + page.rows.length, last, of: page.count };
    const gap = page.rows.find((row) => !isRow(row));
    const isDoubtful = rows.length < page.rows.length || (page.doubts ?? []).length > 0;
    if (isDoubtful) known.gap = this.#context.loaders.look(this.#endpoint).doubt(gap);
    this.#all.keep(this.#context.caller, this.#endpoint, known);
  }

  /** Makes the index as new as this request by one call, where that suffices. Returns the rows that have changed. */
  async readFewChanges(): Promise<readonly unknown[]> {
    const { changes } = this.#list;
    if (changes === undefined || this.#isRead) return [];
    const at = performance.now();
    const list = this.#context.loaders.lists.of(this.#endpoint, this.#changedRows(changes));
    const limit = list.known.pageSize();
    const page = await ifFiltered(list.range({ offset: 0, limit }, { origin: this.#origin, isOnePage: true }));
    if (!page) return [];
    this.#addChanged(page.rows);
    if (page.count > page.rows.length) this.known.invalidate();
    // Where rows are in doubt, the next look is not to wait longer.
    else if (page.rows.every(isRow) && !this.known.isDoubtful) this.#learn(at);
    return page.rows;
  }

  async #readChanges(filter: string): Promise<void> {
    const at = performance.now();
    const look = this.#context.loaders.look(this.#endpoint, this.#changedRows(filter));
    const found = await ifFiltered(look.rows(this.#field));
    if (!found?.complete) return this.look();
    this.#addChanged(found.rows);
    this.#learn(at);
  }

  /** Rows that have changed since the index was current, and some that it knows. */
  #changedRows(filter: string): Filters {
    const { service, loaders } = this.#context;
    const since = service.upstream.clock.at(this.known.changesFrom) - overlapMs;
    const after = DateTime.parse(new Date(since).toISOString());
    return filtersOf(loaders.contract.endpoint(this.#endpoint), { [filter]: after });
  }

  #add(rows: readonly unknown[]): void {
    for (const row of rows) if (isRow(row)) this.known.index.set(row.id, this.entries.of(row));
  }

  #addChanged(rows: readonly unknown[]): void {
    const { index } = this.known;
    const before = rows.flatMap((row) => (isRow(row) ? index.entriesOf(row.id) : []));
    this.#add(rows);
    const isLost = before.some(({ key }) => index.find(key).length === 0);
    if (isLost) this.#all.invalidateOthers(this.#context.caller, this.#endpoint);
  }

  #learn(at: number): void {
    this.#isRead = true;
    this.known.learn(at);
    this.#all.keep(this.#context.caller, this.#endpoint, this.known);
  }

  /** Why the index may lack rows. Undefined where it lacks none. */
  get reason(): string | undefined {
    const { seen, isUnfinished, gap } = this.known;
    if (!seen || !isUnfinished) return gap;
    const { rootField } = this.#context.loaders.contract.endpoint(this.#endpoint);
    const [rows, of] = [seen.rows, seen.of].map((count) => count.toLocaleString('en'));
    return `The gateway has looked through ${rows} of ${of} rows of \`${rootField}\`. The next request that finds nothing goes on there.`;
  }

  get #origin(): CallOrigin {
    return { reason: 'list scan', fields: () => [this.#field] };
  }
}

/** Undefined where the service does not filter the list so. */
function ifFiltered<T>(rows: Promise<T>): Promise<T | undefined> {
  return rows.catch((error: unknown) => {
    if (error instanceof UpstreamError && error.code === 'BAD_USER_INPUT') return undefined;
    throw error;
  });
}
