import { setTimeout as pause } from 'node:timers/promises';
import { ChangingDeadlines, Timed } from './deadlines.ts';

const probePauseMs = 100;

/** A timer that goes off so late shows that this process stood still, and not the server. */
const standstillMs = 10;

/** A server of the gateway, such as its store. */
export interface Guarded {
  /** Resolves when the server answers. */
  ping(): Promise<unknown>;
  onHangs(): void;
  onAnswers(): void;
}

/** Bounds the wait for a server, and knows whether it hangs. A probe finds out when it answers again. */
export class HangGuard {
  readonly #server: Guarded;
  readonly #timeoutMs: () => number;
  readonly #deadlines = new ChangingDeadlines();
  #hangs = false;
  #isClosed = false;

  /** `timeoutMs`: the longest wait for a reply, as it is now. */
  constructor(server: Guarded, timeoutMs: () => number) {
    this.#server = server;
    this.#timeoutMs = timeoutMs;
  }

  get hangs(): boolean {
    return this.#hangs;
  }

  /** Settles as the reply of the server does. Rejects where the reply does not come in time. */
  inTime<T>(reply: Promise<T>): Promise<T> {
    const deadlines = this.#deadlines.of(this.#timeoutMs());
    return new Promise((resolve, reject) => {
      const wait = new Wait((lateMs) => {
        if (lateMs > standstillMs && !wait.isSecond) {
          wait.isSecond = true;
          return deadlines.start(wait);
        }
        reject(new Error('No answer came in time.'));
        void this.#probe();
      });
      deadlines.start(wait);
      reply.then(resolve, reject).finally(() => {
        wait.isOver = true;
        deadlines.stop(wait);
      });
    });
  }

  close(): void {
    this.#isClosed = true;
  }

  async #probe(): Promise<void> {
    if (this.#hangs || this.#isClosed) return;
    this.#hangs = true;
    this.#server.onHangs();
    while (!this.#isClosed && !(await this.#answers())) await pause(probePauseMs, undefined, { ref: false });
    this.#hangs = false;
    if (!this.#isClosed) this.#server.onAnswers();
  }

  /** Settles when the server does, however long that takes. */
  async #answers(): Promise<boolean> {
    return this.#server.ping().then(
      () => true,
      () => false,
    );
  }
}

/** The wait for one reply. */
class Wait extends Timed {
  isOver = false;
  /** The process stood still in the first time. */
  isSecond = false;
  readonly #onExpired: (lateMs: number) => void;

  constructor(onExpired: (lateMs: number) => void) {
    super();
    this.#onExpired = onExpired;
  }

  expire(): void {
    const lateMs = performance.now() - this.due;
    // After a pause of the process, replies lie ready that it has not read yet.
    setImmediate(() => {
      if (!this.isOver) this.#onExpired(lateMs);
    });
  }
}
