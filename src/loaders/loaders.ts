import type { Json } from '../lib/json.ts';
import type { Histogram } from '../lib/metrics.ts';
import type { Loader } from './batch.ts';
import { byIdLoader, cheaperThanGets } from './by-id.ts';
import { CallOrigins } from './call-origins.ts';
import { type EntityKey, entityLoader } from './entity.ts';
import type { EntityKindCache } from './entity-kind-cache.ts';
import { IdentityMap, type Known } from './identity-map.ts';
import {
  type ByIdKind,
  isById,
  isListed,
  isListOnly,
  type Kind,
  type ListedKind,
  type ListOnlyKind,
  listEndpoint,
  type Target,
} from './kinds.ts';
import { listOnlyLoader, unresolved } from './list-only.ts';
import { type CachedReads, ListPages } from './list-pages.ts';
import { ListScan } from './list-scan.ts';
import type { Reference } from './references.ts';

/** How many keys come together, by what they are loaded as. */
export type Batches = Histogram<'loader'>;

/**
 * All that one request has read, and the DataLoaders that read more. Made anew for each request, and for each mutation of
 * one: what was read before a write is not true after it.
 */
export class Loaders {
  readonly seen: IdentityMap;
  readonly pages: ListPages;
  readonly #service: CachedReads;
  readonly #batches: Batches;
  readonly #byKind = new Map<Kind, Loader<string, Known>>();
  readonly #sweeps = new Map<ListedKind, ListScan>();
  readonly #failures = new Map<string, Error>();
  readonly #askers = new Map<Target, CallOrigins>();
  #entityLoader: Loader<EntityKey, Known> | undefined;
  #pagesNow: ListPages | undefined;

  constructor(service: CachedReads, kinds: EntityKindCache, batches: Batches) {
    this.#service = service;
    this.#batches = batches;
    this.seen = new IdentityMap(kinds);
    this.pages = new ListPages(service, this.seen, batches.labels('ranges'));
  }

  /**
   * The whole resource, from wherever it is cheapest to have. Rejects where the service does not give it.
   * `field`: the field of the operation that asks; `reference`: if it is one of a row, what is known of it.
   */
  load(target: Target, id: string, field: string, reference?: Reference): Promise<Known> {
    this.#askersOf(target).note(id, field);
    if (target === 'Entity') return this.#entities.load({ id, reference });
    if (target === 'Farmer' || target === 'Company') this.seen.suppose(id, target);
    if (isById(target) || isListOnly(target)) return this.#loader(target).load(id);
    return Promise.reject(unresolved(target, id));
  }

  fail(target: Target, id: string, error: Error): void {
    this.#failures.set(`${target} ${id}`, error);
  }

  /** Why a reference that the operation needs could not be loaded. */
  failure(target: Target, id: string): Error | undefined {
    return this.#failures.size === 0 ? undefined : this.#failures.get(`${target} ${id}`);
  }

  /** Who asked for which id; entities share theirs with the two kinds that they turn out to be. */
  #askersOf(target: Target): CallOrigins {
    const table = target === 'Farmer' || target === 'Company' ? 'Entity' : target;
    const askers = this.#askers.get(table) ?? new CallOrigins();
    this.#askers.set(table, askers);
    return askers;
  }

  get #entities(): Loader<EntityKey, Known> {
    if (!this.#entityLoader) {
      const byKind = { Farmer: this.#loader('Farmer'), Company: this.#loader('Company') };
      this.#entityLoader = entityLoader(
        byKind,
        this.#sweepOf('Farmer'),
        this.seen,
        this.#askersOf('Entity'),
        this.#batches.labels('Entity'),
      );
    }
    return this.#entityLoader;
  }

  /** Pages that the service gives now, where those that were kept of earlier answers lack something. */
  get uncachedPages(): ListPages {
    if (!this.#pagesNow) {
      const service = this.#service;
      this.#pagesNow = new ListPages(
        {
          read: (endpoint, input, origin) => service.read(endpoint, { ...input, isFresh: true }, origin),
          lengthOf: (endpoint) => this.pages.lengthOf(endpoint).total,
          guessLength: (endpoint) => service.guessLength(endpoint),
        },
        this.seen,
        this.#batches.labels('ranges'),
      );
    }
    return this.#pagesNow;
  }

  #loader(kind: ByIdKind | ListOnlyKind): Loader<string, Known> {
    let loader = this.#byKind.get(kind);
    if (!loader) {
      loader = this.#newLoader(kind);
      this.#byKind.set(kind, loader);
    }
    return loader;
  }

  #newLoader(kind: ByIdKind | ListOnlyKind): Loader<string, Known> {
    const askers = this.#askersOf(kind);
    if (isListOnly(kind))
      return listOnlyLoader(kind, this.pages, () => this.uncachedPages, this.seen, askers, this.#batches.labels(kind));
    const list = isListed(kind) ? { sweep: this.#sweepOf(kind), cost: cheaperThanGets(kind) } : undefined;
    return byIdLoader(kind, this.#service, this.seen, askers, this.#batches.labels(kind), list);
  }

  /** One for each list, so that farmers that are looked for as such and as entities are not looked for twice. */
  #sweepOf(kind: ListedKind): ListScan {
    const sweep = this.#sweeps.get(kind) ?? new ListScan(listEndpoint(kind), this.pages, this.seen);
    this.#sweeps.set(kind, sweep);
    return sweep;
  }
}

/** An object as the client gets it when nothing but its id is known. */
export function bareObject(target: Target, id: string): Json {
  return target === 'Entity' ? { __typename: 'UnknownEntity', id } : { id };
}
