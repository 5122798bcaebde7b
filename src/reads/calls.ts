import type { Operation } from '../rest/endpoints.ts';

export interface CallCount {
  operation: Operation;
  /** Undefined for calls without an answer. */
  status: number | undefined;
  count: number;
}

/** Calls of the service, counted. */
export class Calls {
  readonly #counts = new Map<Operation, Map<number | undefined, number>>();

  count(operation: Operation, status: number | undefined): void {
    let byStatus = this.#counts.get(operation);
    if (!byStatus) {
      byStatus = new Map();
      this.#counts.set(operation, byStatus);
    }
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  }

  *counts(): Iterable<CallCount> {
    for (const [operation, byStatus] of this.#counts) {
      for (const [status, count] of byStatus) yield { operation, status, count };
    }
  }
}
