import { type Caller, madeOnce } from '@gateway/base';
import type { EndpointName } from '@gateway/contract';
import type { Upstream } from '@gateway/upstream';
import { LRUCache } from 'lru-cache';
import type { IdentifyData } from './data.ts';
import { RowIndex } from './row-index.ts';

/** Entries and rows of all callers, about 200 bytes each. */
const maxWeight = 200_000;

/** How long the index counts without a question. Writes through the gateway end that time. */
const freshMs = 60_000;

/** The rows of one list that one caller has been shown, as far as they are indexed. */
export class KnownRows {
  index = new RowIndex();
  /** Rows from the first one on that the gateway has looked through, and the id of the last of them. */
  seen: { rows: number; last: string | undefined; of: number } | undefined;
  /** Why rows may be missing among those. Undefined where none is. */
  gap: string | undefined;
  /** When the latest read began, in milliseconds of performance.now(). */
  #readAt = Number.NEGATIVE_INFINITY;
  /** The same, of the read from which on the next one asks for changes. */
  changesFrom = Number.NEGATIVE_INFINITY;
  #changedAt = Number.NEGATIVE_INFINITY;

  clear(): void {
    this.index = new RowIndex();
    this.seen = undefined;
    this.gap = undefined;
  }

  /** The index shows the state of `at`. A read that began before a write does not show it. */
  learn(at: number): void {
    this.#readAt = at;
    this.changesFrom = at;
  }

  /** A write may have changed rows. */
  invalidate(): void {
    this.#changedAt = performance.now();
  }

  get isCurrent(): boolean {
    return this.#readAt > this.#changedAt && performance.now() - this.#readAt < freshMs;
  }

  /** Rows may be missing that no further look finds. */
  get isDoubtful(): boolean {
    return this.gap !== undefined && !this.isUnfinished;
  }

  /** A further look may find rows that this one has not come to. */
  get isUnfinished(): boolean {
    return this.seen !== undefined && this.seen.rows < this.seen.of;
  }
}

interface OfCaller {
  keyDigest: string;
  list: EndpointName;
  known: KnownRows;
}

/** The known rows of all callers. Callers share none. */
export class AllKnownRows {
  readonly #lists: IdentifyData['lists'];
  /** By the digest of the caller, and the list. */
  readonly #rows: LRUCache<string, OfCaller>;
  /** The same, by the digest of the key: a write does not search those of all callers. */
  readonly #ofKeys = new Map<string, Set<OfCaller>>();

  constructor(upstream: Pick<Upstream, 'events'>, { lists }: IdentifyData, maxSize = maxWeight) {
    this.#lists = lists;
    this.#rows = new LRUCache({
      maxSize,
      sizeCalculation: ({ known }) => 1 + known.index.weight,
      dispose: (gone) => {
        const others = this.#ofKeys.get(gone.keyDigest);
        others?.delete(gone);
        if (others?.size === 0) this.#ofKeys.delete(gone.keyDigest);
      },
    });
    upstream.events.on('invalidate', (keyDigest, endpoint) => {
      for (const { list, known } of keyDigest === '' ? this.#rows.values() : (this.#ofKeys.get(keyDigest) ?? [])) {
        // An endpoint of another release may change anything.
        if (endpoint === undefined || lists[list]?.writes.includes(endpoint)) known.invalidate();
      }
    });
  }

  get weight(): number {
    return this.#rows.calculatedSize;
  }

  /** Those of a caller, who may have none yet. */
  of(caller: Caller, list: EndpointName): KnownRows {
    const { known } = this.#rows.get(nameOf(caller, list)) ?? this.#set(caller, list, new KnownRows());
    return known;
  }

  /** A thing that has left one list may be in the other lists of the caller. */
  invalidateOthers(caller: Caller, list: EndpointName): void {
    for (const other of Object.keys(this.#lists)) {
      if (other !== list) this.#rows.peek(nameOf(caller, other))?.known.invalidate();
    }
  }

  /** Keeps rows that have become more or fewer. Those of callers who came long ago go, and so do more than there is room for. */
  keep(caller: Caller, list: EndpointName, known: KnownRows): void {
    const name = nameOf(caller, list);
    // Rows that were gone know of no write meanwhile.
    if (this.#rows.peek(name)?.known !== known) known.invalidate();
    this.#rows.delete(name);
    this.#set(caller, list, known);
  }

  #set(caller: Caller, list: EndpointName, known: KnownRows): OfCaller {
    const name = nameOf(caller, list);
    const { keyDigest } = caller;
    const rows = { keyDigest, list, known };
    this.#rows.set(name, rows);
    // The LRU cache does not take rows that are larger than all of it.
    if (this.#rows.has(name)) madeOnce(this.#ofKeys, keyDigest, newSet).add(rows);
    return rows;
  }
}

const newSet = () => new Set<OfCaller>();

function nameOf({ digest }: Caller, list: EndpointName): string {
  return `${digest} ${list}`;
}

const all = new WeakMap<Upstream, AllKnownRows>();

export function knownRowsOf(upstream: Upstream, data: IdentifyData): AllKnownRows {
  const rows = all.get(upstream) ?? new AllKnownRows(upstream, data);
  all.set(upstream, rows);
  return rows;
}
