import { noTimeLeft } from './errors.ts';
import type { Abortable } from './request.ts';

/** Reads that no client waits for. They end with their answers, after a time, or with the process. */
export class BackgroundReads {
  readonly #timers = new Map<Abortable, NodeJS.Timeout | undefined>();

  /** `ms`: by default the read ends by itself. */
  add(read: Abortable, ms?: number): void {
    this.#timers.set(read, ms === undefined ? undefined : setTimeout(() => read.abort(noTimeLeft), ms).unref());
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
