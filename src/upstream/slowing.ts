/** Calls in flight before a call that show whether calls slow each other down. */
export const crowd = 16;
/** Fewer calls beside it show what a call takes by itself. */
export const few = 4;
/** Old calls count less and less: so many are left. */
const memory = 64;

/**
 * Learns for what share of its own time a call delays each call behind it. That is 1/4 over four workers, whether calls
 * wait for each other or share them.
 */
export class Slowing {
  #share = 0;
  #calls = 0;

  /** Calls may slow each other down, although nothing has measured it. */
  suspect(): void {
    if (this.#calls === 0) this.#share = 1;
  }

  /** A call that began behind a crowd came later than by itself. `lateness`: as a multiple of the time by itself. */
  observe(ahead: number, lateness: number): void {
    this.#calls = Math.min(memory, this.#calls + 1);
    this.#share += (Math.max(0, lateness) / ahead - this.#share) / this.#calls;
  }

  /** A crowd delays a call by less than its own time, or none has been seen. */
  get isNegligible(): boolean {
    return this.#share * crowd < 1;
  }
}
