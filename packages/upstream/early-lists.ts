/** Share of the latest operations that must have needed the list, for the next one to begin it early. */
const worthwhile = 0.8;

/** The weight of the latest operation. */
const gain = 1 / 64;

/**
 * How often operations that select a reference found it set, by the field that refers. Where that is nearly always so, the
 * gateway begins to read the list of the reference beside the rows.
 */
export class EarlyLists {
  readonly #shares = new Map<string, number>();

  /** An operation selects the field. Returns whether its list is probably needed. */
  ask(field: string): boolean {
    const share = this.#shareOf(field);
    this.#shares.set(field, share - gain * share);
    return share >= worthwhile;
  }

  /** The rows of the operation referred to the list. */
  need(field: string): void {
    this.#shares.set(field, this.#shareOf(field) + gain);
  }

  /** Without experience the field is supposed to be set. */
  #shareOf(field: string): number {
    return this.#shares.get(field) ?? worthwhile;
  }
}
