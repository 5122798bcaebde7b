import { codedError } from '../errors/codes.ts';
import type { RetryBudget } from './request.ts';

/** Counts the REST calls of one operation, retries included. */
export class CallBudget implements RetryBudget {
  readonly #limit: number;
  #max: number;
  #used = 0;
  #reserved = 0;

  constructor(max: number) {
    this.#limit = max;
    this.#max = max;
  }

  get used(): number {
    return this.#used;
  }

  /** Calls that reads may still make. */
  get left(): number {
    return Math.max(0, this.#max - this.#used - Math.max(0, this.#reserved));
  }

  /** Keeps calls for the writes of the operation: the reads after one write must not stop the writes that follow. */
  reserve(writes: number): void {
    this.#reserved = writes;
  }

  /** Lets the operation make a call that does not count towards the limit. */
  addCall(): void {
    this.#max += 1;
  }

  /** A reserved call is not needed. */
  releaseWrite(): void {
    this.#reserved -= 1;
  }

  /** A budget of its own for a chain of writes, whose reads have as many calls as an operation. */
  forWrites(writes: number): CallBudget {
    const budget = new CallBudget(this.#limit + writes);
    budget.reserve(writes);
    return budget;
  }

  /** Adds the calls of a part of the operation: those that it has made, and those that it has left. */
  join(part: CallBudget): void {
    this.#max += part.#max;
    this.#used += part.#used;
  }

  /** @throws UPSTREAM_BUDGET_EXCEEDED where no call is left. */
  takeWrite(): void {
    this.releaseWrite();
    this.take();
  }

  /** @throws UPSTREAM_BUDGET_EXCEEDED where no call is left. */
  take(): void {
    if (this.takeRetry()) return;
    const message = `The operation needs more than ${this.#max} REST calls; ask for fewer rows or references.`;
    throw codedError('UPSTREAM_BUDGET_EXCEEDED', message);
  }

  takeRetry(): boolean {
    const isLeft = this.left > 0;
    if (isLeft) this.#used += 1;
    return isLeft;
  }
}
