import type { EndpointName, ListEndpointName } from './endpoints.ts';

/** The weight of the latest range. */
const gain = 0.2;

/** The gateway tries smaller pages of a list again after some ranges. */
const forgetting = 0.95;

/** The gateway takes a list for quiet for so long before its first read, so that one new row is no flood. */
const quietMs = 10_000;
/** Changes count for about so long: pushes of an outbox take seconds to minutes. */
const memoryMs = 60_000;

/** Rows that came or went, and the milliseconds in which they did. */
interface Changes {
  rows: number;
  ms: number;
}

/**
 * How many rows the gateway read again because the pages of a range did not fit together, by list. Rows came and went in
 * between, or the service orders rows of the same time differently on each page. Knows also how fast each list changes.
 */
export class ListShifts {
  readonly #shares = new Map<ListEndpointName, number>();
  readonly #changes = new Map<EndpointName, Changes>();

  /** Share of the rows of the latest ranges of several pages: 0 to 1. */
  shareOf(endpoint: ListEndpointName): number {
    const share = this.#shares.get(endpoint) ?? 0;
    if (share > 0) this.#shares.set(endpoint, share * forgetting);
    return share;
  }

  learn(endpoint: ListEndpointName, reread: number): void {
    const share = this.#shares.get(endpoint) ?? 0;
    if (reread > 0 || share > 0) this.#shares.set(endpoint, share + gain * (reread - share));
  }

  /** A caller has seen so many rows come or go in this time. */
  pass(endpoint: EndpointName, rows: number, ms: number): void {
    const known = this.#changes.get(endpoint) ?? { rows: 0, ms: quietMs };
    const kept = Math.exp(-ms / memoryMs);
    this.#changes.set(endpoint, { rows: known.rows * kept + rows, ms: known.ms * kept + ms });
  }

  /** Rows that come or go in a millisecond, by the counts of the latest pages. */
  changesPerMs(endpoint: EndpointName): number {
    const { rows, ms } = this.#changes.get(endpoint) ?? { rows: 0, ms: quietMs };
    return rows / ms;
  }
}
