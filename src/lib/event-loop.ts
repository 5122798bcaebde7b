import { type EventLoopUtilization, performance } from 'node:perf_hooks';

const measuredMs = 500;
const busy = 0.98;

/** Whether this process has more to do than it can. A process that waits for the service has an idle event loop. */
export class EventLoop {
  #isBusy = false;
  #measuredAt = performance.now();
  #before: EventLoopUtilization = performance.eventLoopUtilization();

  /** The event loop was not idle lately. */
  isBusy(now: number): boolean {
    if (now - this.#measuredAt >= measuredMs) {
      const { utilization } = performance.eventLoopUtilization(this.#before);
      this.#isBusy = utilization > busy;
      this.#before = performance.eventLoopUtilization();
      this.#measuredAt = now;
    }
    return this.#isBusy;
  }
}
