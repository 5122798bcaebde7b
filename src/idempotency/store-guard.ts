import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Deadlines, Timed } from '../lib/deadlines.ts';
import type { RecordStore } from './record-store.ts';

const probePauseMs = 100;

/** Bounds the wait for a store, and knows whether the store hangs. A probe finds out when it answers again. */
export class StoreGuard {
  readonly #store: RecordStore;
  readonly #logger: Logger;
  readonly #deadlines: Deadlines;
  #hangs = false;
  #isClosed = false;

  constructor(store: RecordStore, timeoutMs: number, logger: Logger) {
    this.#store = store;
    this.#deadlines = new Deadlines(timeoutMs);
    this.#logger = logger;
  }

  get hangs(): boolean {
    return this.#hangs;
  }

  /** Settles as the reply of the store does. Rejects where the reply does not come in time. */
  inTime<T>(reply: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const wait = new Wait((error) => {
        reject(error);
        void this.#probe();
      });
      this.#deadlines.start(wait);
      reply.then(resolve, reject).finally(() => {
        wait.isOver = true;
        this.#deadlines.stop(wait);
      });
    });
  }

  close(): void {
    this.#isClosed = true;
  }

  async #probe(): Promise<void> {
    if (this.#hangs) return;
    this.#hangs = true;
    this.#logger.error('The store of idempotency keys does not answer: writes with a key are refused until it does');
    while (!this.#isClosed && !(await this.#answers())) await pause(probePauseMs, undefined, { ref: false });
    this.#hangs = false;
    if (!this.#isClosed) this.#logger.info('The store of idempotency keys answers again');
  }

  /** Settles when the store does, however long that takes. */
  async #answers(): Promise<boolean> {
    return this.#store.ping().then(
      () => true,
      () => false,
    );
  }
}

/** The wait for one reply. */
class Wait extends Timed {
  isOver = false;
  readonly #fail: (error: Error) => void;

  constructor(fail: (error: Error) => void) {
    super();
    this.#fail = fail;
  }

  expire(): void {
    // After a pause of the process, replies lie ready that it has not read yet.
    setImmediate(() => {
      if (!this.isOver) this.#fail(new Error('The store does not answer.'));
    });
  }
}
