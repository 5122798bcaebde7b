import { coop } from './keys.ts';
import { type Caller, Session } from './session.ts';
import type { Store } from './store.ts';

/** Writes the rows of one resource, and returns what the seeds of other resources need of them. */
export type Seed<Rows> = (world: World) => Rows;

const start = '2024-11-07T11:52:03.266639Z';

/** The world that a new store is filled with: each file of `seed/` writes one resource. */
export class World {
  readonly #store: Store;
  readonly #rows = new Map<Seed<unknown>, unknown>();
  /** Has no products and premiums of its own, because a test seeds them. */
  readonly isBare: boolean;

  constructor(store: Store, { isBare = false } = {}) {
    this.#store = store;
    this.isBare = isBare;
  }

  /** The result of `seed`, which runs once, before the seed that calls this. */
  rowsOf<Rows>(seed: Seed<Rows>): Rows {
    if (!this.#rows.has(seed)) this.#rows.set(seed, seed(this));
    return this.#rows.get(seed) as Rows;
  }

  /** `now` is the time of the writes, by default the start of the world. */
  session(caller: Caller = coop, now: () => string = () => start): Session {
    return new Session({ store: this.#store, dialect: 'spec', caller, origin: '', language: '', now });
  }
}
