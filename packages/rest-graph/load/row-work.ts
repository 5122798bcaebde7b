import { inTurn } from '@gateway/base';

/** Rows that an operation looks at in one turn of the event loop. */
const rowsPerTurn = 5_000;

/**
 * Divides the work of one operation on rows that it has read. Its pauses follow from the rows alone, so that a slow machine
 * makes no other batches than a fast one.
 */
export class RowWork {
  #rows = 0;

  /** Call before the work on so many rows. Resolves in a later turn where the operation has had its share of this one. */
  async before(rows: number): Promise<void> {
    this.#rows += rows;
    if (this.#rows <= rowsPerTurn) return;
    this.#rows = rows;
    await new Promise<void>(inTurn);
  }
}
