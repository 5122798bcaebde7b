import { performance } from 'node:perf_hooks';

const measuredMs = 500;
const busy = 0.98;

/** Gives the part of the time since it was last asked in which the event loop worked: 0 to 1. */
export function loopUtilization(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    return utilization;
  };
}

/** Whether this process has more to do than it can. A process that waits for the service has an idle event loop. */
export class EventLoop {
  #isBusy = false;
  #measuredAt = performance.now();
  readonly #utilization = loopUtilization();

  /** The event loop was not idle lately. */
  isBusy(now: number): boolean {
    if (now - this.#measuredAt >= measuredMs) {
      this.#isBusy = this.#utilization() > busy;
      this.#measuredAt = now;
    }
    return this.#isBusy;
  }
}
