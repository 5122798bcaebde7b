import { Timed, withResolvers } from '@gateway/base';

type Result = 'acknowledged' | 'late' | 'unavailable';

/** The wait for other gateways to acknowledge one message. */
export class AcknowledgementWait extends Timed {
  readonly result: Promise<Result>;
  readonly #resolve: (result: Result) => void;
  readonly #onExpired: () => void;
  /** Addresses of those that have not acknowledged. */
  readonly #missing: Set<string>;
  #isSent = false;
  #acknowledged = 0;
  #expected: number;

  constructor(known: Iterable<string>, onExpired: () => void) {
    super();
    const { promise, resolve } = withResolvers<Result>();
    this.result = promise;
    this.#resolve = resolve;
    this.#onExpired = onExpired;
    this.#missing = new Set(known);
    this.#expected = this.#missing.size;
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

  expire(): void {
    // After a pause of the process, messages lie ready that it has not read yet.
    setImmediate(() => {
      this.#resolve('late');
      this.#onExpired();
    });
  }

  #endIfComplete(): void {
    if (this.#acknowledged >= this.#expected) this.#resolve('acknowledged');
  }
}
