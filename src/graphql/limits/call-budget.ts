import type { RetryBudget } from '../../upstream/request.ts';
import { codedError } from '../errors/codes.ts';

/** Counts the REST calls of one operation, retries included. */
export class CallBudget implements RetryBudget {
  readonly #max: number;
  #used = 0;
  #reserved = 0;

  constructor(max: number) {
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

  /** A reserved call is not needed. */
  releaseWrite(): void {
    this.#reserved -= 1;
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
