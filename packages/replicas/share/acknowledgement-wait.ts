import { withResolvers } from '@gateway/base';

type Result = 'acknowledged' | 'late' | 'unavailable';

/** The wait for other gateways to acknowledge one message. */
export class AcknowledgementWait {
  readonly result: Promise<Result>;
  readonly #resolve: (result: Result) => void;
  /** Addresses of those that have not acknowledged. */
  readonly #missing: Set<string>;
  #isSent = false;
  #acknowledged = 0;
  #expected: number;

  constructor(known: Iterable<string>, maxMs: number, onLate: () => void) {
    const { promise, resolve } = withResolvers<Result>();
    this.result = promise;
    this.#resolve = resolve;
    this.#missing = new Set(known);
    this.#expected = this.#missing.size;
    const expire = () => {
      resolve('late');
      onLate();
    };
    // After a pause of the process, messages lie ready that it has not read yet.
    setTimeout(() => setImmediate(expire), Math.ceil(maxMs)).unref();
  }

  /** `others`: how many get the message; fewer than are known where one has ended. Undefined: the message is lost. */
  expect(others: number | undefined): void {
    if (others === undefined) this.#resolve('unavailable');
    else {
      this.#isSent = true;
      this.#expected = Math.min(this.#expected, others);
      this.#endIfComplete();
    }
  }

  /** Those that got the message, as far as is known, and have not acknowledged it. */
  get silent(): Iterable<string> {
    return this.#isSent ? this.#missing : [];
  }

  acknowledge(id: string): void {
    if (!this.#missing.delete(id)) return;
    this.#acknowledged += 1;
    this.#endIfComplete();
  }

  #endIfComplete(): void {
    if (this.#acknowledged >= this.#expected) this.#resolve('acknowledged');
  }
}
