import { LRUCache } from 'lru-cache';
import type { ListEndpointName } from './endpoints.ts';

/** The service may be updated while the gateway runs. */
const appliedForMs = 600_000;
const ignoredForMs = 60_000;

/** The filters that the service applies, and those that it ignores, as its answers have shown. */
export class FilterSupport {
  readonly #seen = new LRUCache<string, boolean>({ max: 100 });
  readonly #names = new LRUCache<string, string>({ max: 100 });

  /** Undefined where no answer has shown it of late. */
  isApplied(endpoint: ListEndpointName, filter: string): boolean | undefined {
    return this.#seen.get(`${endpoint} ${filter}`);
  }

  /** An answer contradicts what the service has shown. */
  clear(endpoint: ListEndpointName, filter: string): void {
    this.#seen.delete(`${endpoint} ${filter}`);
  }

  /** The name by which the service applied the filter the last time. */
  nameOf(endpoint: ListEndpointName, filter: string): string {
    return this.#names.get(`${endpoint} ${filter}`) ?? filter;
  }

  learnName(endpoint: ListEndpointName, filter: string, name: string): void {
    this.#names.set(`${endpoint} ${filter}`, name);
  }

  learn(endpoint: ListEndpointName, filter: string, isApplied: boolean): void {
    this.#seen.set(`${endpoint} ${filter}`, isApplied, { ttl: isApplied ? appliedForMs : ignoredForMs });
  }
}
