import type { EndpointName, ListEndpointName } from './endpoints.ts';

/** The weight of the latest range. */
const gain = 0.2;

/** The gateway tries smaller pages of a list again after some ranges. */
const forgetting = 0.95;

/** A list counts as quiet for so long before its first read. One new row is then no flood. */
const quietMs = 10_000;
/** Changes count for about so long: pushes of an outbox take seconds to minutes. */
const memoryMs = 60_000;

/** The most rows before and after a page that the gateway reads because rows of the list move. */
export const mostSlack = 16;

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
  readonly #expected = new Map<ListEndpointName, number>();

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
    const weight = Math.exp(-ms / memoryMs);
    this.#changes.set(endpoint, { rows: known.rows * weight + rows, ms: known.ms * weight + ms });
  }

  /** Rows that come or go in a millisecond, by the counts of the latest pages. */
  changesPerMs(endpoint: EndpointName): number {
    const { rows, ms } = this.#changes.get(endpoint) ?? { rows: 0, ms: quietMs };
    return rows / ms;
  }

  /** Rows by which a row has probably moved between two pages of a client, up to `mostSlack`. */
  expectedShift(endpoint: ListEndpointName): number {
    return Math.round(this.#expected.get(endpoint) ?? 0);
  }

  /** A client's next page has shown by how many rows those before it have moved since. */
  learnShift(endpoint: ListEndpointName, moved: number): void {
    const expected = this.#expected.get(endpoint) ?? 0;
    const rows = Math.min(Math.abs(moved), mostSlack);
    // More rows than expected cost another reading, and rows for nothing cost little.
    if (rows > 0 || expected > 0) this.#expected.set(endpoint, Math.max(rows, expected + gain * (rows - expected)));
  }
}
