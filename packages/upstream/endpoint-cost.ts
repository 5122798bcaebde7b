import { type CallCost, gatewayCost } from './service-costs.ts';

/** Calls of one endpoint, the rows of their answers, and the time that the service worked on them. */
export interface Work {
  calls: number;
  rows: number;
  workMs: number;
}

/** Variances are relative: 0.04 stands for ±20 %. */
const priorVariance = 2;
/** Old observations count less and less: the last ten or so are left. */
const drift = 0.003;
/** The standard deviations that make an observation an outlier. */
const maxDeviation = 2;
/** Delays on the way only add: a single call that takes longer counts less. Over several calls, they even out. */
const lateness = 2;
/** Few outliers in a row are a service that has changed. */
const surprise = 0.5;
/** A share of the work. */
const littlePart = 0.1;

/**
 * Learns what a call of one endpoint and each row of its answer cost. A Kalman filter weighs what is known against each
 * observation. The filter splits a difference between the call and its rows by how well each is known.
 */
export class EndpointCost implements CallCost {
  callMs: number;
  rowMs: number;
  readonly #leastRowMs: number;
  #callVariance = priorVariance;
  #rowVariance = priorVariance;
  #covariance = 0;

  constructor({ callMs, rowMs }: CallCost, hasRows: boolean) {
    this.#leastRowMs = hasRows ? gatewayCost.rowMs : 0;
    this.callMs = Number.isFinite(callMs) ? Math.max(gatewayCost.callMs, callMs) : gatewayCost.callMs;
    this.rowMs = Number.isFinite(rowMs) ? Math.max(this.#leastRowMs, rowMs) : this.#leastRowMs;
  }

  expectedMs({ calls, rows }: Work): number {
    return calls * this.callMs + rows * this.rowMs;
  }

  /** The variance of `expectedMs`. */
  variance(work: Work): number {
    const call = (work.calls * this.callMs) / this.expectedMs(work);
    const row = 1 - call;
    return call * call * this.#callVariance + 2 * call * row * this.#covariance + row * row * this.#rowVariance;
  }

  /** `noise`: the variance of the observation. */
  observe(work: Work, noise: number): void {
    // One figure that is no number would spoil all later ones.
    if (!(work.workMs >= 0 && work.workMs < Number.POSITIVE_INFINITY && noise >= 0)) return;
    const expectedMs = this.expectedMs(work);
    // Parts of the expected work.
    const call = (work.calls * this.callMs) / expectedMs;
    const row = 1 - call;
    const callPart = this.#callVariance * call + this.#covariance * row;
    const rowPart = this.#covariance * call + this.#rowVariance * row;
    const deviation = work.workMs / expectedMs - 1;
    const variance = call * callPart + row * rowPart + noise * (deviation > 0 && work.calls === 1 ? lateness : 1);
    const most = maxDeviation * Math.sqrt(variance);
    const isOutlier = deviation > most || deviation < -0.7;
    const step = Math.max(-0.9, Math.min(most, deviation)) / variance;
    const { callMs, rowMs } = this;
    this.callMs = Math.max(gatewayCost.callMs, callMs * factor(callPart * step));
    this.rowMs = Math.max(this.#leastRowMs, rowMs * factor(rowPart * step));
    const callShrinkage = shrinkage(callMs, this.callMs);
    const rowShrinkage = shrinkage(rowMs, this.rowMs);
    // An outlier makes nothing more certain.
    const certainty = isOutlier ? 0 : 1 / variance;
    const growth = isOutlier ? surprise : drift;
    const callVariance = (this.#callVariance - certainty * callPart ** 2) * callShrinkage;
    const rowVariance = (this.#rowVariance - certainty * rowPart ** 2) * rowShrinkage;
    this.#callVariance = grown(callVariance, growth, call);
    this.#rowVariance = grown(rowVariance, growth, row);
    const limit = 0.99 * Math.sqrt(this.#callVariance * this.#rowVariance);
    const covariance = (this.#covariance - certainty * callPart * rowPart) * Math.sqrt(callShrinkage * rowShrinkage);
    this.#covariance = Math.max(-limit, Math.min(limit, covariance));
  }
}

/**
 * A figure that shrinks is known no better in milliseconds, so that its relative variance grows. Without that, rows that turn out
 * to be cheap look certain, and the next difference moves the call alone.
 */
function shrinkage(before: number, after: number): number {
  return after > 0 ? Math.max(1, before / after) : 1;
}

/** A figure that is little of the work may be very uncertain. Else a call that once seemed free would stay so. */
function grown(variance: number, growth: number, part: number): number {
  const scale = part > 0 ? Math.max(1, (littlePart / part) ** 2) : 1;
  return Math.min(priorVariance * scale, variance + growth * part * scale);
}

/** No observation changes a cost by more than ten times. */
function factor(change: number): number {
  return Math.max(0.1, Math.min(10, 1 + change));
}
