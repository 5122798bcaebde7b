/** The least that a client must send or take while the gateway waits for it. */
export interface PaceLimits {
  /** The longest silence. */
  idleMs: number;
  /** 0: any rate will do. */
  minBytesPerSecond: number;
  /** The time over which the rate is averaged. */
  averagedMs: number;
}

/** A phone that changes its cell sends and takes nothing for some seconds. */
export const averagedMs = 15_000;

/**
 * Measures whether a client sends or takes a file fast enough. Only the time counts in which the gateway waits for the
 * client. A service that takes or sends the file slowly is not the client's fault.
 */
export class Pace {
  readonly #limits: PaceLimits;
  /** Negative for a client that is behind the least rate. */
  #aheadMs = 0;
  #waitingSince: number | undefined;

  constructor(limits: PaceLimits) {
    this.#limits = limits;
  }

  get behindMs(): number {
    const waitedMs = this.#waitingSince === undefined ? 0 : performance.now() - this.#waitingSince;
    return waitedMs - this.#aheadMs;
  }

  /** The gateway waits for bytes. Returns the longest time that the next ones may take. */
  wait(): number {
    this.#waitingSince = performance.now();
    const { idleMs, averagedMs } = this.#limits;
    return Math.max(0, Math.min(idleMs, averagedMs + this.#aheadMs));
  }

  /** Bytes have come, or gone. */
  add(bytes: number): void {
    const { minBytesPerSecond, averagedMs } = this.#limits;
    const dueMs = minBytesPerSecond === 0 ? Number.POSITIVE_INFINITY : (1_000 * bytes) / minBytesPerSecond;
    this.#aheadMs = Math.min(averagedMs, dueMs - this.behindMs);
    this.#waitingSince = undefined;
  }
}
