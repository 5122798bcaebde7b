import { atMost, type Caller } from '@gateway/base';
import type { Contract, EndpointName } from '@gateway/contract';
import { LRUCache } from 'lru-cache';
import { EarlyLists } from './early-lists.ts';
import type { FailingRows } from './failing-rows.ts';
import { KnownList } from './known-list.ts';
import type { ListPage, Range } from './list-page.ts';
import { Memory } from './memory.ts';

/** Ids of the parts of an object, by the ids and keys that name them. */
export type Parts = ReadonlyMap<string, string>;

/** Objects that those of one place of a selection hold or refer to: sums over answers. */
export interface FanOut {
  objects: number;
  references: number;
  /** Logarithms of the references of each answer, and of the different objects behind them. */
  logReferences: number;
  logOthers: number;
}

/** The memories of one caller. Callers share none of them. */
const newMemories = () => ({
  /** Rows of a list, by its endpoint, and when a page has shown them: milliseconds of performance.now(). */
  lengths: new Memory<Length>({ max: 100 }),
  /** Lists that have refused a call for their length alone. */
  refusedLengths: new Memory<true>({ max: 100, ttlMs: 600_000 }),
  /** Rows that the service failed on, by list; `not found` after a search for them in vain. */
  failingRows: new Memory<FailingRows | 'not found'>({ max: 100, ttlMs: 600_000 }),
  /** Objects that the service did not give by their ids. An object of a union is none of its kinds. */
  missing: new Memory<true>({ max: 1_000, ttlMs: 60_000 }),
  /** A reference to a union does not name the kind, and a call of the wrong endpoint is wasted. */
  kinds: new Memory<string>({ max: 1_000 }),
  /** By type and field. */
  fanOuts: new Memory<FanOut>({ max: 500 }),
  /** Ids of the parts that writes of the caller name. */
  parts: new Memory<Parts>({ max: 10_000, weigh: ({ size }) => size + 1 }),
});

type Memories = Readonly<ReturnType<typeof newMemories>>;

interface Length {
  count: number;
  at: number;
}

/** Knowledge of a caller who comes once soon goes again. With more callers, it would grow old, and fill the heap. */
const maxCallers = 500;

/** Entries of all callers, about 100 bytes each. A caller takes some itself. */
const maxEntries = 400_000;
const entriesOfCaller = 20;

/** Kinds of ids for all callers. */
const maxKinds = 100_000;

/** A service that fails on everything is not searched with each read. */
const pauseAfterSearchMs = 30_000;

/** Learns from the answers of the service: for all callers, and for each of them. */
export class Knowledge {
  readonly contract: Contract;
  readonly earlyLists = new EarlyLists();
  /** An answer must not depend on the kinds of other callers, but the order of calls may. */
  readonly kinds = new LRUCache<string, string>(atMost(maxKinds));
  readonly #lists: ReadonlyMap<EndpointName, KnownList>;
  /** By the digest of the caller's headers. */
  readonly #callers = new LRUCache<string, CallerKnowledge>({
    max: maxCallers,
    maxSize: maxEntries,
    sizeCalculation: (known) => entriesOfCaller + known.weigh(),
  });

  constructor(contract: Contract) {
    this.contract = contract;
    const { largest } = contract.data.wire.page;
    this.#lists = new Map(contract.endpointNames.map((name) => [name, new KnownList(largest)]));
  }

  list(endpoint: EndpointName): KnownList {
    return this.#lists.get(endpoint) as KnownList;
  }

  /**
   * The knowledge of a caller, for one request. A memory that has outgrown its bound begins anew here, because
   * requests that run need theirs.
   */
  of({ digest }: Caller): CallerKnowledge {
    const before = this.#callers.get(digest);
    const known = before?.withRoom() ?? new CallerKnowledge(this);
    // The cache weighs an entry when it is set. To set one with each request leaves garbage that outlives the request.
    if (known !== before || known.weight !== known.weighed) {
      this.#callers.delete(digest);
      this.#callers.set(digest, known);
    }
    return known;
  }

  /** The same where the caller is known. A caller who only asks for estimates takes the place of no other. */
  find({ digest }: Caller): CallerKnowledge | undefined {
    return this.#callers.get(digest);
  }

  /** Learns the length of a list and of its pages from a page of the whole list. */
  learnPage(caller: Caller, endpoint: EndpointName, range: Range, page: ListPage): void {
    const list = this.list(endpoint);
    if (!list.learnPage(range, page)) return;
    const { count } = page;
    const at = performance.now();
    const before = this.of(caller).learnLength(endpoint, { count, at });
    if (before) list.learnChanges(Math.abs(count - before.count), at - before.at);
    list.learnLength(count);
  }

  /** A write of the key, or of any where the digest is empty, may have made objects that were missing. */
  invalidate(keyDigest: string): void {
    const digests = [...this.#callers.keys()].filter((digest) => digest.startsWith(keyDigest));
    for (const digest of digests) {
      const known = this.#callers.peek(digest);
      if (known) this.#callers.set(digest, known.withoutMisses());
    }
  }
}

/** The knowledge of one caller. Requests of the caller share the memories. */
export class CallerKnowledge {
  readonly service: Knowledge;
  /** The weight when the cache last weighed it. */
  weighed = 0;
  readonly #memories: Memories;

  constructor(service: Knowledge, memories: Memories = newMemories()) {
    this.service = service;
    this.#memories = memories;
  }

  get weight(): number {
    const { lengths, refusedLengths, failingRows, missing, kinds, fanOuts, parts } = this.#memories;
    const ofLists = lengths.weight + refusedLengths.weight + failingRows.weight;
    return ofLists + missing.weight + kinds.weight + fanOuts.weight + parts.weight;
  }

  weigh(): number {
    this.weighed = this.weight;
    return this.weighed;
  }

  /** The same, with memories that have room. */
  withRoom(): CallerKnowledge {
    if (!Object.values(this.#memories).some(({ isFull }) => isFull)) return this;
    const memories = Object.entries(this.#memories).map(([name, each]) => [name, each.isFull ? each.anew() : each]);
    return new CallerKnowledge(this.service, Object.fromEntries(memories));
  }

  /** For a request that learns from no earlier one, and after a write. Reads that began before learn no more for others. */
  withoutMisses(): CallerKnowledge {
    return new CallerKnowledge(this.service, { ...this.#memories, missing: this.#memories.missing.anew() });
  }

  get fanOuts(): Memory<FanOut> {
    return this.#memories.fanOuts;
  }

  get parts(): Memory<Parts> {
    return this.#memories.parts;
  }

  lengthOf(endpoint: EndpointName): number | undefined {
    return this.#memories.lengths.get(endpoint)?.count;
  }

  /** Returns the length before. */
  learnLength(endpoint: EndpointName, length: Length): Length | undefined {
    const before = this.#memories.lengths.get(endpoint);
    this.#memories.lengths.set(endpoint, length);
    return before;
  }

  mayShowLength(endpoint: EndpointName): boolean {
    return !this.#memories.refusedLengths.get(endpoint);
  }

  refuseLength(endpoint: EndpointName): void {
    this.#memories.refusedLengths.set(endpoint, true);
  }

  failingRows(list: string): FailingRows | 'not found' | undefined {
    return this.#memories.failingRows.get(list);
  }

  /** `not found`: a search was in vain. */
  learnFailingRows(list: string, rows: FailingRows | 'not found'): void {
    if (rows === 'not found') this.#memories.failingRows.set(list, rows, pauseAfterSearchMs);
    else if (rows.isEmpty) this.#memories.failingRows.delete(list);
    else this.#memories.failingRows.set(list, rows);
  }

  isMissing(type: string, id: string): boolean {
    return this.#memories.missing.get(`${type} ${id}`) ?? false;
  }

  learnMissing(type: string, id: string): void {
    if (this.service.contract.isPossibleId(id)) this.#memories.missing.set(`${type} ${id}`, true);
  }

  /** The kind of an id that the service has shown to this caller. */
  kindOf(union: string, id: string): string | undefined {
    return this.#memories.kinds.get(this.service.contract.idInUnion(union, id));
  }

  /** The kind of an id that the service has shown to any caller. */
  guessKind(union: string, id: string): string | undefined {
    return this.service.kinds.get(this.service.contract.idInUnion(union, id));
  }

  /** The latest kind wins, so that the next answer corrects a wrong one. */
  learnKind(id: string, kind: string): void {
    const key = this.service.contract.idInUnion(kind, id);
    if (this.#memories.kinds.get(key) === kind) return;
    this.#memories.kinds.set(key, kind);
    if (this.service.kinds.get(key) !== kind) this.service.kinds.set(key, kind);
  }
}
