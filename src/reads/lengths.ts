import { LRUCache } from 'lru-cache';
import { type Operation, pageSize } from '../rest/endpoints.ts';
import type { ListPage, Range } from '../rest/list-page.ts';
import type { Caller } from './caller.ts';

/**
 * How long lists were when a caller last read a page of them that was full, or the whole list, so that the next request
 * need not ask for one page to learn whether the others are worth reading. Lengths only: a wrong one costs a call, never a
 * row.
 */
export class Lengths {
  readonly #lengths = new LRUCache<string, number>({ max: 10_000 });

  get({ digest }: Caller, operation: Operation): number | undefined {
    return this.#lengths.get(`${digest} ${operation}`);
  }

  learn({ digest }: Caller, operation: Operation, { offset }: Range, { count, rows }: ListPage): void {
    // A service with smaller pages has more of them than the length says.
    const isWhole = offset === 0 && rows.length === count;
    if (isWhole || rows.length === pageSize) this.#lengths.set(`${digest} ${operation}`, count);
  }
}
