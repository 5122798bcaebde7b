import { LRUCache } from 'lru-cache';
import type { Caller } from './caller.ts';
import { type Operation, pageSize } from './endpoints.ts';
import type { ListPage, Range } from './list-page.ts';

/** Of one list, until it is looked at again. */
const maxGuesses = 50;

/**
 * How long lists were when a caller last read a page of them that was full, or the whole list, so that the next request
 * need not ask for one page to learn whether the others are worth reading. Lengths only: a wrong one costs a call, never a
 * row.
 */
export class Lengths {
  readonly #lengths = new LRUCache<string, number>({ max: 10_000 });
  readonly #usual = new Map<Operation, { length: number; guesses: number }>();

  get({ digest }: Caller, operation: Operation): number | undefined {
    return this.#lengths.get(`${digest} ${operation}`);
  }

  /**
   * What to take a list for that this caller has not read yet: the shortest that others have. Forgotten after some
   * guesses, so that it is found out again where lists are not what they were.
   */
  guess(operation: Operation): number | undefined {
    const usual = this.#usual.get(operation);
    if (!usual) return undefined;
    usual.guesses += 1;
    if (usual.guesses > maxGuesses) this.#usual.delete(operation);
    return usual.guesses > maxGuesses ? undefined : usual.length;
  }

  learn({ digest }: Caller, operation: Operation, { offset }: Range, { count, rows }: ListPage): void {
    // A service with smaller pages has more of them than the length says.
    const isWhole = offset === 0 && rows.length === count;
    if (!isWhole && rows.length !== pageSize) return;
    this.#lengths.set(`${digest} ${operation}`, count);
    const { length = count, guesses = 0 } = this.#usual.get(operation) ?? {};
    this.#usual.set(operation, { length: Math.min(length, count), guesses });
  }
}
