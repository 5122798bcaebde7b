import { overloaded } from '@gateway/base';

/** A file on its way from a client, or to one. */
export interface Transfer {
  caller: string;
  /** How far the client is behind the least rate. */
  behindMs(): number;
  /** Ends the transfer. False where it is over already. */
  giveWay(): boolean;
}

/** A client that is further behind gives way to the next transfer. */
export const patienceMs = 500;

/** The transfers that are behind, the slowest first. */
function behind(transfers: Iterable<Transfer>): Transfer[] {
  const slow = [...transfers].filter((transfer) => transfer.behindMs() > patienceMs);
  return slow.sort((one, other) => other.behindMs() - one.behindMs());
}

/** Ends the transfer of the slowest client. Undefined where no client is too slow. */
export function endSlowest(transfers: Iterable<Transfer>): Transfer | undefined {
  return behind(transfers).find((transfer) => transfer.giveWay());
}

/**
 * Limits the transfers at a time. Where all places are taken, the next transfer takes that of the slowest client. Else a caller
 * with more than a quarter of the places gives one to another caller.
 */
export class TransferLimit {
  readonly #max: number;
  readonly #isQuarterStrict: boolean;
  /** In the order of their beginning. */
  readonly #running = new Set<Transfer>();

  /** `isQuarterStrict`: a caller has no more than a quarter, even where nobody else wants the rest. */
  constructor(max: number, { isQuarterStrict = false } = {}) {
    this.#max = max;
    this.#isQuarterStrict = isQuarterStrict;
  }

  /** @throws OVERLOADED (503) where no transfer gives way. */
  enter(transfer: Transfer): void {
    if (this.#isQuarterStrict && this.#isOverQuarter(transfer.caller, 1)) throw overloaded();
    if (this.#running.size >= this.#max) {
      const givesWay = this.#rivals(transfer.caller).find((rival) => rival.giveWay());
      if (!givesWay) throw overloaded();
      this.#running.delete(givesWay);
    }
    this.#running.add(transfer);
  }

  leave(transfer: Transfer): void {
    this.#running.delete(transfer);
  }

  /** The transfers that may give way to one of the caller, in the order in which they are asked. */
  #rivals(caller: string): Transfer[] {
    const slowest = behind(this.#running);
    if (this.#isOverQuarter(caller, 1)) return slowest.filter((transfer) => transfer.caller === caller);
    // The youngest has moved the least for nothing.
    return [...slowest, ...[...this.#running].filter((other) => this.#isOverQuarter(other.caller)).reverse()];
  }

  #isOverQuarter(caller: string, more = 0): boolean {
    let count = more;
    for (const transfer of this.#running) if (transfer.caller === caller) count += 1;
    return count > Math.ceil(this.#max / 4);
  }
}
