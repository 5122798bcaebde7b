import { setTimeout as pause } from 'node:timers/promises';

const probePauseMs = 100;

/** A timer that goes off so late shows that this process stood still, and not the server. */
const standstillMs = 10;

/** A server of the gateway, such as its store. */
interface Guarded {
  /** Resolves when the server answers. */
  ping(): Promise<unknown>;
  onHangs(): void;
  onAnswers(): void;
}

/** Bounds the wait for a server, and knows whether it hangs. A probe finds out when it answers again. */
export class HangGuard {
  readonly #server: Guarded;
  readonly #timeoutMs: () => number;
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
    return new Promise((resolve, reject) => {
      let isOver = false;
      let timer: NodeJS.Timeout;
      const wait = (onLate: (lateMs: number) => void) => {
        const ms = Math.ceil(this.#timeoutMs());
        const due = performance.now() + ms;
        timer = setTimeout(() => {
          const lateMs = performance.now() - due;
          // After a pause of the process, replies lie ready that it has not read yet.
          setImmediate(() => isOver || onLate(lateMs));
        }, ms).unref();
      };
      const fail = () => {
        reject(new Error('No answer came in time.'));
        void this.#probe();
      };
      wait((lateMs) => (lateMs > standstillMs ? wait(fail) : fail()));
      reply.then(resolve, reject).finally(() => {
        isOver = true;
        clearTimeout(timer);
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
    // A ping settles when the server does, however long that takes.
    const answers = () =>
      this.#server.ping().then(
        () => true,
        () => false,
      );
    while (!this.#isClosed && !(await answers())) await pause(probePauseMs, undefined, { ref: false });
    this.#hangs = false;
    if (!this.#isClosed) this.#server.onAnswers();
  }
}
