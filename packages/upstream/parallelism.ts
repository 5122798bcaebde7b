import { priorParallelism } from './service-costs.ts';

/** The time of more calls counts as that of so many: services have fewer workers. */
const max = 128;
/** Variances are relative: 0.04 stands for ±20 %. */
const priorVariance = 1;
/** Old observations count less and less. */
const drift = 0.02;

/**
 * Learns how many calls the service works on side by side. With n calls in flight the service does the work of
 * `min(n, parallelism)`, whether the others wait or all share. The costs of the calls in a busy time give its work.
 */
export class Parallelism {
  value = priorParallelism;
  variance = priorVariance;
  /** Milliseconds of the busy time, by calls in flight. */
  readonly #ms: number[] = [0];

  /** Adds time with `calls` in flight. */
  pass(calls: number, ms: number): void {
    const index = Math.min(calls, max);
    while (this.#ms.length <= index) this.#ms.push(0);
    if (index > 0) this.#ms[index] = (this.#ms[index] ?? 0) + ms;
  }

  get busyMs(): number {
    return this.#workMs(1);
  }

  /** The work, within what one worker and a worker for each call can do in the busy time. */
  possible(workMs: number): number {
    return Math.max(this.busyMs, Math.min(this.#workMs(max), workMs));
  }

  /**
   * Learns from the work of the calls that ended in the busy time, and begins a new busy time. Returns by how much the
   * new figure changes the work that the service seems to have done.
   */
  observe(workMs: number, variance: number): number {
    let scale = 1;
    // A call that is alone shows nothing.
    if (this.#ms.length > 2) {
      const before = this.#workMs(this.value);
      this.#learn(workMs, variance);
      scale = this.#workMs(this.value) / before;
    }
    this.#ms.length = 1;
    return scale;
  }

  #learn(workMs: number, costVariance: number): void {
    const most = this.#workMs(max);
    // More work than all calls can have had comes from costs that are too high.
    const variance = costVariance + Math.log(Math.max(1, workMs / most)) ** 2;
    const calls = this.#ms.reduce((sum, ms, calls) => sum + ms * calls * calls, 0) / most;
    if (!(calls >= 1.2 && workMs > 0 && costVariance >= 0)) return;
    // Calls that do not slow each other down: some more are worth a try.
    const isUnlimited = workMs >= 0.9 * most;
    const seen = isUnlimited ? Math.min(max, Math.max(this.value, 1.5 * calls)) : this.#needed(workMs);
    // Work that the known figure explains is no reason for a lower one.
    const isExplained = this.#workMs(this.value) < workMs * (1 + Math.sqrt(variance));
    const share = isUnlimited ? 1 : this.#limitedShare(isExplained ? this.value : Math.min(seen, this.value));
    const gain = (this.variance * share ** 2) / (this.variance * share ** 2 + variance);
    this.value *= (seen / this.value) ** gain;
    // A figure that follows from uncertain costs is no more certain than they are.
    const known = Math.max(this.variance * (1 - gain), Math.min(this.variance, variance));
    this.variance = Math.min(priorVariance, known + drift * share);
  }

  #workMs(parallelism: number): number {
    return this.#ms.reduce((sum, ms, calls) => sum + ms * Math.min(calls, parallelism), 0);
  }

  /** The share of the work while calls waited. */
  #limitedShare(parallelism: number): number {
    const limited = this.#ms.reduce((sum, ms, calls) => (calls > parallelism ? sum + ms * parallelism : sum), 0);
    return limited / this.#workMs(parallelism);
  }

  /** The least parallelism that does the work in the busy time. */
  #needed(workMs: number): number {
    let done = 0;
    let msAbove = this.busyMs;
    for (let calls = 0; calls + 1 < this.#ms.length; calls += 1) {
      if (done + msAbove >= workMs) return Math.max(1, calls + (workMs - done) / msAbove);
      done += msAbove;
      msAbove -= this.#ms[calls + 1] ?? 0;
    }
    return max;
  }
}

/** Calls in flight before a call that show whether calls slow each other down. */
export const crowd = 16;
/** Fewer calls beside it show what a call takes by itself. */
export const few = 4;
/** Old crowds count less and less: so many are left. */
const crowds = 8;
/** The most that one crowd counts. A pause of the service delays all of its calls by far more than full workers do. */
const mostShare = 2 / crowd;

/**
 * Learns whether a call delays each call behind it, by what share of its own time. That is 1/8 over eight workers, whether
 * calls wait for each other or share them.
 */
export class Slowing {
  #share = 0;
  #crowds = 0;
  #delays = 0;
  #calls = 0;

  /** Calls may slow each other down, although nothing has measured it. */
  suspect(): void {
    if (this.#crowds === 0) this.#share = 1;
  }

  /** A call that began behind a crowd came later than by itself. `lateness`: as a multiple of the time by itself. */
  observe(ahead: number, lateness: number): void {
    this.#delays += Math.max(0, lateness) / ahead;
    this.#calls += 1;
  }

  /** Learns from the crowd of a busy time, or from several small ones. */
  endBusyTime(): void {
    if (this.#calls < (this.#crowds === 0 ? 1 : crowd)) return;
    this.#crowds = Math.min(crowds, this.#crowds + 1);
    this.#share += (Math.min(mostShare, this.#delays / this.#calls) - this.#share) / this.#crowds;
    this.#delays = 0;
    this.#calls = 0;
  }

  /** A crowd delays a call by less than its own time, or none has been seen. */
  get isNegligible(): boolean {
    return this.#share * crowd < 1;
  }
}
