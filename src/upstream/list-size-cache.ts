import { LRUCache } from 'lru-cache';
import type { Caller } from './caller.ts';
import { type EndpointName, pageSize } from './endpoints.ts';
import type { ListPage, Range } from './list-page.ts';

/** Of one list, until it is looked at again. */
const maxGuesses = 50;

/**
 * How long lists were when a caller last read a page of them that was full, or the whole list, so that the next request
 * need not ask for one page to learn whether the others are worth reading. Lengths only: a wrong one costs a call, never a
 * row.
 */
export class ListSizeCache {
  readonly #lengths = new LRUCache<string, number>({ max: 10_000 });
  readonly #usual = new Map<EndpointName, { length: number; guesses: number }>();

  get({ digest }: Caller, endpoint: EndpointName): number | undefined {
    return this.#lengths.get(`${digest} ${endpoint}`);
  }

  /**
   * What to take a list for that this caller has not read yet: the shortest that others have. Forgotten after some
   * guesses, so that it is found out again where lists are not what they were.
   */
  guess(endpoint: EndpointName): number | undefined {
    const usual = this.#usual.get(endpoint);
    if (!usual) return undefined;
    usual.guesses += 1;
    if (usual.guesses > maxGuesses) this.#usual.delete(endpoint);
    return usual.guesses > maxGuesses ? undefined : usual.length;
  }

  learn({ digest }: Caller, endpoint: EndpointName, { offset }: Range, { count, rows }: ListPage): void {
    // A service with smaller pages has more of them than the length says.
    const isWhole = offset === 0 && rows.length === count;
    if (!isWhole && rows.length !== pageSize) return;
    this.#lengths.set(`${digest} ${endpoint}`, count);
    const { length = count, guesses = 0 } = this.#usual.get(endpoint) ?? {};
    this.#usual.set(endpoint, { length: Math.min(length, count), guesses });
  }
}
