import { UpstreamError } from '@gateway/base';

/** Errors of a service that does not accept a key. */
const refusals: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'FORBIDDEN']);

/**
 * The proof that claims are no forgeries: the read by which tokens are accepted refuses one whose signature is wrong. A process
 * proves that once.
 */
export class SignatureProof {
  /** Undefined until the service has shown it. */
  holds: boolean | undefined;
  #asking: Promise<unknown> | undefined;
  readonly #onFailed: () => void;

  constructor(onFailed: () => void) {
    this.#onFailed = onFailed;
  }

  /**
   * Resolves when the service has shown whether it checks signatures. `read`: asks with a wrong one. Operations wait once for the
   * read of another one, which ends with its operation.
   * @throws UpstreamError from the read, where the service neither accepts nor refuses the token.
   */
  async find(read: () => Promise<unknown>): Promise<void> {
    // A wait for nothing would let all operations of one moment ask.
    if (this.holds === undefined && this.#asking) await this.#asking;
    if (this.holds !== undefined) return;
    const answer = this.#ask(read);
    this.#asking = answer.catch(() => {});
    await answer;
  }

  async #ask(read: () => Promise<unknown>): Promise<void> {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof UpstreamError && refusals.has(error.code))) throw error;
      this.holds ??= true;
      return;
    }
    if (this.holds !== false) this.#onFailed();
    this.holds = false;
  }
}
