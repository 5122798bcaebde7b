import type { ListEndpointName } from './endpoints.ts';

/** The weight of the latest range. */
const gain = 0.2;

/** The gateway tries smaller pages of a list again after some ranges. */
const forgetting = 0.95;

/**
 * How often the pages of one range did not fit together, by list. Rows came and went in between, or the service orders
 * rows of the same time differently on each page. The gateway then reads the range again as one page.
 */
export class ListShifts {
  readonly #shares = new Map<ListEndpointName, number>();

  /** Share of the latest ranges of several pages: 0 to 1. */
  shareOf(endpoint: ListEndpointName): number {
    const share = this.#shares.get(endpoint) ?? 0;
    if (share > 0) this.#shares.set(endpoint, share * forgetting);
    return share;
  }

  learn(endpoint: ListEndpointName, hasShifted: boolean): void {
    const share = this.#shares.get(endpoint) ?? 0;
    if (hasShifted || share > 0) this.#shares.set(endpoint, share + gain * ((hasShifted ? 1 : 0) - share));
  }
}
