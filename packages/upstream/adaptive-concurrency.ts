import { loopUtilization, madeOnce } from '@gateway/base';
import type { EndpointName } from '@gateway/contract';

/** A call that has its answer. */
export interface AnsweredCall {
  endpoint: EndpointName;
  /** Length of the answer: one endpoint has short and long pages. */
  bytes: number;
  /** Calls that were in flight when this one began. */
  ahead: number;
  /** Milliseconds from its start on the connection to the end of its answer. */
  ms: number;
}

/** The least limit. Calls beside so few others show how long they take at rest. */
const least = 2;
/** A call may take so many times as long as at rest, and so much longer. No client leaves because of that. */
const patience = 1.25;
const patienceMs = 100;
/** The time with calls in flight between two changes of the limit, at least. */
const windowMs = 250;
/** Answers between two changes: each change shows in the next ones only. */
const windowCalls = 16;
/** Fewer answers show a change as well, where they take this multiple of what they may. */
const leastCalls = 4;
const alarming = 2;
/** The growth of the limit from one window to the next. */
const growth = 2;
/** The weight of a new observation of the time at rest. */
const gain = 0.5;
/** Answers that take less than this share of the time at rest: the service has become faster. */
const fasterCalls = 12;
const faster = 0.5;
/** Above this utilization of the event loop, calls wait for the gateway, and not for the service. */
const busyLoop = 0.9;

/** The sums of some answers, in milliseconds. */
class Sums {
  calls = 0;
  ms = 0;
  restMs = 0;
  mayMs = 0;

  add(ms: number, restMs: number, mayMs: number): void {
    this.calls += 1;
    this.ms += ms;
    this.restMs += restMs;
    this.mayMs += mayMs;
  }
}

/**
 * Bounds the calls in flight by what the service answers, as BBR bounds the packets in flight. By Little's law, calls in
 * flight are answers per time, times the time of a call. The limit is the answers per time that come, times the time that
 * a call may take. That is more than at rest, so that no worker of the service waits for a call. There is no limit until
 * calls take longer.
 */
export class AdaptiveConcurrency {
  /** Calls in flight at most. */
  limit: number;
  readonly #max: number;
  readonly #utilization: () => number;
  /** Milliseconds at rest: by endpoint, and by the length of the answer as a power of two. */
  readonly #restMs = new Map<EndpointName, number[]>();
  /** Answers that have shown a time at rest. */
  #quietCalls = 0;
  #inFlight = 0;
  #busySince = 0;
  /** Milliseconds with calls in flight, in the window. */
  #busyMs = 0;
  #window = new Sums();
  /** The limit by the last window alone. */
  #lastWanted = least;
  #slowdown = 1;

  /** `utilization`: the part of the time since it was last asked in which the event loop worked. */
  constructor(max: number, utilization: () => number = loopUtilization()) {
    this.#max = max;
    this.limit = max;
    this.#utilization = utilization;
  }

  /** The service has been seen to have more calls than it works on. */
  get isLearnt(): boolean {
    return this.limit < this.#max;
  }

  /** The time of calls at rest as a share of their time now. */
  get gradient(): number {
    return 1 / this.#slowdown;
  }

  /** A call is sent. `now`: milliseconds of one clock. */
  begin(now: number): void {
    if (this.#inFlight === 0) this.#busySince = now;
    this.#inFlight += 1;
  }

  /** A call that was begun has ended; `answered` where its answer shows how long the service takes. */
  end(now: number, answered?: AnsweredCall): void {
    this.#inFlight -= 1;
    this.#busyMs += now - this.#busySince;
    this.#busySince = now;
    if (answered) this.#learn(answered);
  }

  #learn({ endpoint, bytes, ahead, ms }: AnsweredCall): void {
    const byLength = madeOnce(this.#restMs, endpoint, () => []);
    const length = Math.clz32(bytes);
    const isQuiet = ahead < least;
    const restMs = byLength[length] ?? ms / (isQuiet ? 1 : this.#slowdown);
    byLength[length] = isQuiet ? restMs + gain * (ms - restMs) : restMs;
    if (isQuiet) this.#quietCalls += 1;
    // The mean of a few is uncertain. A limit that is too low by that would cost the service its work.
    const doubt = 1 + 2 / Math.max(1, this.#quietCalls);
    this.#window.add(ms, restMs, patience * doubt * restMs + patienceMs);
    if (this.#busyMs >= windowMs && this.#isWindowFull) this.#adjust();
  }

  get #isWindowFull(): boolean {
    const { calls, ms, mayMs } = this.#window;
    return calls >= Math.min(windowCalls, 2 * this.limit) || (calls >= leastCalls && ms > alarming * mayMs);
  }

  #adjust(): void {
    const { calls, ms, restMs } = this.#window;
    if (calls >= fasterCalls && ms < faster * restMs) this.#scaleRest(ms / restMs);
    else this.#setLimit(this.#window);
    this.#window = new Sums();
    this.#busyMs = 0;
  }

  /** All calls take so many times as long as before. */
  #scaleRest(factor: number): void {
    for (const byLength of this.#restMs.values()) {
      for (const [length, ms] of byLength.entries()) byLength[length] = factor * ms;
    }
  }

  #setLimit({ ms, restMs, mayMs }: Sums): void {
    const wanted = Math.max(least, Math.ceil(mayMs / this.#busyMs));
    // One window may have few answers by chance.
    const limit = Math.max(wanted, this.#lastWanted);
    const isLoopBusy = this.#utilization() > busyLoop;
    if (limit > this.limit) this.limit = Math.min(this.#max, limit, growth * this.limit);
    else if (ms > mayMs && !isLoopBusy) this.limit = limit;
    this.#lastWanted = wanted;
    this.#slowdown = Math.max(1, ms / restMs);
  }
}
