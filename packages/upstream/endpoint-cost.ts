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
    this.callMs = Math.max(gatewayCost.callMs, this.callMs * factor(callPart * step));
    this.rowMs = Math.max(this.#leastRowMs, this.rowMs * factor(rowPart * step));
    // An outlier makes nothing more certain.
    const certainty = isOutlier ? 0 : 1 / variance;
    const growth = isOutlier ? surprise : drift;
    this.#callVariance = Math.min(priorVariance, this.#callVariance - certainty * callPart ** 2 + growth * call);
    this.#rowVariance = Math.min(priorVariance, this.#rowVariance - certainty * rowPart ** 2 + growth * row);
    const limit = 0.99 * Math.sqrt(this.#callVariance * this.#rowVariance);
    const covariance = this.#covariance - certainty * callPart * rowPart;
    this.#covariance = Math.max(-limit, Math.min(limit, covariance));
  }
}

/** No observation changes a cost by more than ten times. */
function factor(change: number): number {
  return Math.max(0.1, Math.min(10, 1 + change));
}
