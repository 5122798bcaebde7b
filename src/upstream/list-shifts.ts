import type { ListEndpointName } from './endpoints.ts';

/** The weight of the latest range. */
const gain = 0.2;

/** The gateway tries smaller pages of a list again after some ranges. */
const forgetting = 0.95;

/**
 * How many rows the gateway read again because the pages of a range did not fit together, by list. Rows came and went in
 * between, or the service orders rows of the same time differently on each page.
 */
export class ListShifts {
  readonly #shares = new Map<ListEndpointName, number>();

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
}
