import { LRUCache } from 'lru-cache';
import { type Operation, pageSize } from '../rest/endpoints.ts';
import type { Json } from '../rest/json.ts';
import type { PageQuery } from './catalogs.ts';

/**
 * How long lists were when a caller last read a full page of them, so that the next request need not ask for one page to
 * learn whether the others are worth reading. Lengths only: a wrong one costs a call, never a row.
 */
export class Lengths {
  readonly #lengths = new LRUCache<string, number>({ max: 10_000 });

  get(digest: string, operation: Operation): number | undefined {
    return this.#lengths.get(`${digest} ${operation}`);
  }

  learn(digest: string, operation: Operation, { offset }: PageQuery, { count, results }: Json): void {
    if (typeof count !== 'number' || !Array.isArray(results)) return;
    // A shorter page does not show that the service gives full ones.
    const isFull = results.length === Math.min(pageSize, count - offset);
    if (isFull) this.#lengths.set(`${digest} ${operation}`, count);
  }
}
