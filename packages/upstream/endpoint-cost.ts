import { type CallCost, gatewayCost } from './service-costs.ts';

/** Calls of one endpoint, the rows of their answers, and the time that the service worked on them. */
export interface Work {
  calls: number;
  rows: number;
  workMs: number;
}

/** The variance of a figure that is only supposed, as a multiple of its square: ±140 %. */
const priorVariance = 2;
/** Rows of a page that may take as long as the call itself, whatever was supposed of them. */
const usualRows = 10;
/** Old observations count less and less: the last ten or so are left. */
const drift = 0.006;
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
 * observation. Pages of one length show the cost of a page, and not how much of it each row takes. The covariance says so
 * until pages of another length come.
 */
export class EndpointCost implements CallCost {
  callMs: number;
  rowMs: number;
  readonly #leastRowMs: number;
  /** In ms², as the others. */
  #callVariance: number;
  #rowVariance: number;
  #covariance = 0;

  constructor({ callMs, rowMs }: CallCost, hasRows: boolean) {
    this.#leastRowMs = hasRows ? gatewayCost.rowMs : 0;
    this.callMs = Number.isFinite(callMs) ? Math.max(gatewayCost.callMs, callMs) : gatewayCost.callMs;
    this.rowMs = Number.isFinite(rowMs) ? Math.max(this.#leastRowMs, rowMs) : this.#leastRowMs;
    this.#callVariance = priorVariance * this.callMs ** 2;
    this.#rowVariance = priorVariance * (this.rowMs + this.callMs / usualRows) ** 2;
  }

  expectedMs({ calls, rows }: Work): number {
    return calls * this.callMs + rows * this.rowMs;
  }

  /** The variance of `expectedMs`, as a multiple of its square: 0.04 stands for ±20 %. */
  variance(work: Work): number {
    return this.#varianceMs(work) / this.expectedMs(work) ** 2;
  }

  #varianceMs({ calls, rows }: Work): number {
    const both = 2 * calls * rows * this.#covariance;
    return Math.max(0, calls * calls * this.#callVariance + both + rows * rows * this.#rowVariance);
  }

  /** `noise`: the variance of the observation, as a multiple of the square of the expected work. */
  observe(work: Work, noise: number): void {
    const { calls, rows, workMs } = work;
    // One figure that is no number would spoil all later ones.
    if (!(workMs >= 0 && workMs < Number.POSITIVE_INFINITY && noise >= 0)) return;
    const expectedMs = this.expectedMs(work);
    const callPart = calls * this.#callVariance + rows * this.#covariance;
    const rowPart = calls * this.#covariance + rows * this.#rowVariance;
    const deviation = workMs - expectedMs;
    const variance = this.#varianceMs(work) + noise * expectedMs ** 2 * (deviation > 0 && calls === 1 ? lateness : 1);
    const most = maxDeviation * Math.sqrt(variance);
    const isOutlier = Math.abs(deviation) > most;
    const step = Math.max(-most, Math.min(most, deviation)) / variance;
    this.callMs += callPart * step;
    this.rowMs += rowPart * step;
    if (isOutlier) {
      // An outlier makes nothing more certain.
      this.#scale((this.expectedMs(work) / expectedMs) ** 2);
    } else {
      this.#callVariance -= callPart ** 2 / variance;
      this.#rowVariance -= rowPart ** 2 / variance;
      this.#covariance -= (callPart * rowPart) / variance;
    }
    this.#bound();
    this.#age(work, this.expectedMs(work), isOutlier ? surprise : drift);
  }

  /** Where one figure would be too low, the other one takes the rest as the covariance says. */
  #bound(): void {
    const callRest = gatewayCost.callMs - this.callMs;
    if (callRest > 0 && this.#callVariance > 0) this.rowMs += (callRest * this.#covariance) / this.#callVariance;
    const rowRest = this.#leastRowMs - this.rowMs;
    if (rowRest > 0 && this.#rowVariance > 0) this.callMs += (rowRest * this.#covariance) / this.#rowVariance;
    this.callMs = Math.max(gatewayCost.callMs, this.callMs);
    this.rowMs = Math.max(this.#leastRowMs, this.rowMs);
  }

  /** The observations count less from now on. A figure that is little of the work may still become all of it. */
  #age({ calls, rows }: Work, expectedMs: number, growth: number): void {
    const [call, row] = [expectedMs / calls, expectedMs / rows];
    this.#callVariance += growth * Math.max(this.callMs, littlePart * call) ** 2;
    if (rows > 0) this.#rowVariance += growth * Math.max(this.rowMs, littlePart * row) ** 2;
    // Shrunk together, the variances say as before how the cost of a page can split.
    const most = priorVariance * Math.min(call ** 2 / this.#callVariance, row ** 2 / this.#rowVariance);
    if (most < 1) this.#scale(most);
  }

  #scale(times: number): void {
    this.#callVariance *= times;
    this.#rowVariance *= times;
    this.#covariance *= times;
  }
}
