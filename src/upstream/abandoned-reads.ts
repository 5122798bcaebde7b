import type { Abortable } from './request.ts';

/** Reads whose clients have left, and on which the service still works. They end with their answers, or after a time. */
export class AbandonedReads {
  readonly #timers = new Map<Abortable, NodeJS.Timeout>();

  add(read: Abortable, ms: number): void {
    this.#timers.set(read, setTimeout(() => read.abort(tooLate), ms).unref());
  }

  /** The read has ended. */
  delete(read: Abortable): void {
    clearTimeout(this.#timers.get(read));
    this.#timers.delete(read);
  }

  abort(reason: Error): void {
    for (const read of this.#timers.keys()) read.abort(reason);
  }
}

const tooLate = new Error('No client waits for the read.');
