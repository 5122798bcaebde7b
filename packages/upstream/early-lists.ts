import { madeOnce } from '@gateway/base';

/** Share of operations that must have needed the list, for the next one to begin it early. */
const worthwhile = 0.8;

/** Operations after which half of what was learnt is dropped. */
const memory = 64;

/**
 * How often operations that select a reference found it set, by the field that refers. Where that is nearly always so, the
 * gateway begins to read the list of the reference beside the rows.
 */
export class EarlyLists {
  readonly #fields = new Map<string, { asked: number; needed: number }>();

  /** An operation selects the field. Returns whether its list is probably needed. */
  ask(field: string): boolean {
    const seen = madeOnce(this.#fields, field, unseen);
    // Without experience the field is supposed to be set.
    const isNeeded = (seen.needed + 4) / (seen.asked + 5) >= worthwhile;
    seen.asked += 1;
    if (seen.asked > memory) {
      seen.asked /= 2;
      seen.needed /= 2;
    }
    return isNeeded;
  }

  /** The rows of the operation referred to the list. */
  need(field: string): void {
    madeOnce(this.#fields, field, unseen).needed += 1;
  }
}

const unseen = () => ({ asked: 0, needed: 0 });
