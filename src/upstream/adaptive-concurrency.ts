import type { EndpointName } from './endpoints.ts';

/** A call that has its answer. Times are milliseconds of one clock. */
export interface AnsweredCall {
  endpoint: EndpointName;
  /** Length of the answer: one endpoint has short and long pages. */
  bytes: number;
  /** Calls in flight when this call began, itself included. */
  inFlight: number;
  beganAt: number;
  endedAt: number;
  /** The part of the time in which the gateway waited. Its own work is no time of the service. */
  ms: number;
}

/** The limit as a multiple of the calls that the service works on. No worker of the service waits for a call then. */
const headroom = 1.5;
/** The least limit. */
const least = 2;
/** A shorter wait at the service harms no client, and a busy gateway measures as much. */
const slackMs = 20;
/** Answers between two changes of the limit, at least. */
const windowCalls = 32;
/** Calls that take so much longer than at rest have waited for each other. */
const crowded = 1.25;
/** Calls in flight below this share of the parallelism do not wait for each other. They show the time at rest. */
const quietShare = 0.75;
/** A mean time of answers so far from the expected one shows that the service has changed. */
const slower = 2.5;
const faster = 0.4;
/** Answers of the mean time, at least. */
const recentCalls = 8;
/** A crowded service shows no time at rest. The gateway makes room so often to see it. */
const probeIntervalMs = 10_000;
/** The answers of a probe. Those of a slow service are fewer, after so many milliseconds. */
const probeCalls = 16;
const leastProbeCalls = 4;
const probeMs = 500;
/** A probe that differs more is repeated soon. */
const doubtful = 0.2;

/** The sums of some answers. */
class Sums {
  calls = 0;
  ms = 0;
  restMs = 0;
  /** Weighted by `restMs`. */
  inFlight = 0;

  add(call: AnsweredCall, restMs: number): void {
    this.calls += 1;
    this.ms += call.ms;
    this.restMs += restMs;
    this.inFlight += restMs * call.inFlight;
  }
}

/**
 * Bounds the calls in flight by what the service works on, as the gradient controllers of Envoy and Netflix do. A service
 * that works on p of n calls in flight takes n / p times as long as at rest. There is no limit until answers take longer
 * because of each other.
 */
export class AdaptiveConcurrency {
  /** Calls in flight at most. */
  limit: number;
  readonly #max: number;
  /** Calls that the service works on side by side; undefined until some have waited. */
  #parallelism: number | undefined;
  /** Milliseconds at rest: by endpoint, and by the length of the answer as a power of two. */
  readonly #restMs = new Map<EndpointName, number[]>();
  #meanRestMs = slackMs;
  #window = new Sums();
  /** Calls that began earlier show nothing of the limit. */
  #changedAt = Number.NEGATIVE_INFINITY;
  /** The last time at which the time at rest was seen. */
  #quietAt = Number.NEGATIVE_INFINITY;
  /** Mean of the time of answers as a multiple of the time at rest. */
  #slowdown = 1;
  /** The same of the time that is expected beside the calls in flight. */
  #surprise = 1;
  /** The answers of a probe, and the calls that ended without one. */
  #probe: { sums: Sums; failed: number; parallelism: number } | undefined;

  constructor(max: number) {
    this.#max = max;
    this.limit = max;
  }

  /** A good answer has come. */
  learn(call: AnsweredCall): void {
    const now = call.endedAt;
    const restMs = this.#restMsOf(call);
    if (restMs === undefined) {
      this.#setRestMs(call, call.ms / this.#crowding(call.inFlight));
      return;
    }
    const isQuiet = call.inFlight <= this.#quietCalls;
    if (this.#probe) {
      if (call.beganAt >= this.#changedAt && isQuiet) this.#learnFromProbe(this.#probe, call, restMs, now);
      return;
    }
    const gain = 1 / Math.max(recentCalls, call.inFlight / 2);
    const expectedMs = restMs * this.#crowding(call.inFlight) + slackMs;
    this.#slowdown += gain * ((call.ms + slackMs) / (restMs + slackMs) - this.#slowdown);
    this.#surprise += gain * (call.ms / expectedMs - this.#surprise);
    this.#meanRestMs += gain * (restMs - this.#meanRestMs);
    if (isQuiet) {
      this.#setRestMs(call, restMs + (call.ms - restMs) / windowCalls);
      this.#quietAt = now;
    } else if (call.beganAt >= this.#changedAt) this.#window.add(call, restMs);
    if (this.#slowdown < faster) this.#rescale(this.#slowdown, now);
    else if (this.#surprise > slower) this.#beginProbe((this.#parallelism ?? call.inFlight) / this.#surprise, now);
    else if (this.#parallelism !== undefined && !isQuiet && now - this.#quietAt > probeIntervalMs)
      this.#beginProbe(this.#parallelism, now);
    else if (this.#window.calls >= Math.max(windowCalls, this.limit / 4)) this.#adjust(now);
  }

  /** A call has ended without a good answer. A probe that gets none is given up. */
  fail(now: number): void {
    if (!this.#probe) return;
    this.#probe.failed += 1;
    if (this.#probe.failed > leastProbeCalls) this.#endProbe(this.#parallelism, now);
  }

  /** The time at rest as a share of the time of the last answers. */
  get gradient(): number {
    return Math.min(1, 1 / this.#slowdown);
  }

  get #quietCalls(): number {
    if (this.#probe) return this.limit;
    return Math.min(this.limit - 1, Math.max(least, quietShare * (this.#parallelism ?? 0)));
  }

  /** The expected time of a call with so many in flight, as a multiple of the time at rest. */
  #crowding(inFlight: number): number {
    return Math.max(1, inFlight / (this.#parallelism ?? this.#max));
  }

  #adjust(now: number): void {
    const { ms, restMs, inFlight } = this.#window;
    const slowdown = ms / restMs;
    const mean = inFlight / restMs;
    const known = this.#parallelism;
    const seen = slowdown > crowded ? mean / slowdown : Math.max(known ?? 0, mean);
    if (slowdown > crowded && (known === undefined || seen < known / headroom)) this.#beginProbe(seen, now);
    else if (known === undefined) this.#window = new Sums();
    else this.#change((known + seen) / 2, now);
  }

  #change(parallelism: number | undefined, now: number): void {
    this.#parallelism = parallelism && Math.min(this.#max, parallelism);
    const wanted = (headroom + slackMs / this.#meanRestMs) * (parallelism ?? this.#max);
    this.limit = Math.max(least, Math.min(this.#max, Math.ceil(wanted)));
    this.#changedAt = now;
    this.#window = new Sums();
  }

  /** Makes room at the service: either it works on fewer calls now, or it needs longer for each. */
  #beginProbe(parallelism: number, now: number): void {
    this.#change(this.#parallelism, now);
    this.limit = Math.max(least, Math.min(this.limit, Math.floor(quietShare * parallelism)));
    this.#probe = { sums: new Sums(), failed: 0, parallelism };
  }

  #learnFromProbe(probe: { sums: Sums; parallelism: number }, call: AnsweredCall, restMs: number, now: number): void {
    const { sums } = probe;
    sums.add(call, restMs);
    const isLong = now - this.#changedAt > probeMs && sums.calls >= Math.max(leastProbeCalls, this.limit);
    if (sums.calls < probeCalls && !isLong) return;
    const slack = slackMs * sums.calls;
    const ratio = (sums.ms + slack) / (sums.restMs + slack);
    const hasChanged = ratio > Math.sqrt(slower) || ratio < faster;
    // Answers that are nearly as expected are noise for the most part, the more the fewer they are.
    this.#rescale(hasChanged ? ratio : ratio ** (sums.calls / windowCalls), now);
    this.#endProbe(hasChanged ? this.#parallelism : probe.parallelism, now);
    if (Math.abs(ratio - 1) > doubtful) this.#quietAt -= probeIntervalMs - probeMs;
  }

  #endProbe(parallelism: number | undefined, now: number): void {
    this.#probe = undefined;
    this.#quietAt = now;
    this.#surprise = 1;
    this.#change(parallelism, now);
  }

  /** The service needs so many times as long for all calls. */
  #rescale(factor: number, now: number): void {
    for (const byLength of this.#restMs.values()) {
      for (const [index, ms] of byLength.entries()) byLength[index] = ms * factor;
    }
    this.#meanRestMs *= factor;
    this.#slowdown = 1;
    this.#surprise = 1;
    this.#change(this.#parallelism, now);
  }

  #restMsOf({ endpoint, bytes }: AnsweredCall): number | undefined {
    return this.#restMs.get(endpoint)?.[Math.clz32(bytes)];
  }

  #setRestMs({ endpoint, bytes }: AnsweredCall, ms: number): void {
    const byLength = this.#restMs.get(endpoint) ?? [];
    byLength[Math.clz32(bytes)] = ms;
    this.#restMs.set(endpoint, byLength);
  }
}
