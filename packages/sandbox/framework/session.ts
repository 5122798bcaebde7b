import type { Dialect } from './dialect.ts';
import type { Store, Table, Tables } from './store.ts';

/** The ids of a user and of the company that is active in the session of that user. */
export interface Caller {
  user: string;
  company: string;
}

/** One call: its caller, its language, and the store. */
export class Session {
  readonly store: Store;
  readonly dialect: Dialect;
  readonly caller: Caller;
  /** Scheme and host of absolute URLs, as the client addressed them. */
  readonly origin: string;
  readonly language: string;
  readonly now: () => string;
  readonly #views = new Map<string, unknown>();

  constructor(options: Pick<Session, 'store' | 'dialect' | 'caller' | 'origin' | 'language' | 'now'>) {
    this.store = options.store;
    this.dialect = options.dialect;
    this.caller = options.caller;
    this.origin = options.origin;
    this.language = options.language;
    this.now = options.now;
  }

  get connect(): boolean {
    return this.dialect === 'connect';
  }

  /** The URL of a file. The store has the path alone, so that stored data does not depend on the address of the sandbox. */
  urlOf(path: string | null): string | null {
    return path && this.origin + path;
  }

  /** The same in an object that another one embeds, and in the answer to an upload. The real service gives the path. */
  innerUrlOf(path: string | null): string | null {
    return this.connect ? path : this.urlOf(path);
  }

  /** The result of `show`, computed once per call: a page of transactions shows the same currencies and forms many times. */
  view<T extends Table, View>(table: T, id: string | null, show: (row: Tables[T]) => View): View | null {
    if (id === null) return null;
    const key = `${table}:${id}`;
    if (!this.#views.has(key)) {
      const row = this.store.get(table, id);
      this.#views.set(key, row ? show(row) : null);
    }
    return this.#views.get(key) as View | null;
  }
}
