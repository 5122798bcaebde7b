import { EventLoop, type Learnt, madeOnce } from '@gateway/base';
import type { Contract, EndpointName } from '@gateway/contract';
import type { CallCounts } from './call-counts.ts';
import { EndpointCost, type Work } from './endpoint-cost.ts';
import type { UpstreamEvents } from './events.ts';
import { crowd, few, Parallelism, Slowing } from './parallelism.ts';
import type { CallOnWire } from './request.ts';
import {
  type CallCost,
  type ExpectedCost,
  priorCosts,
  priorParallelism,
  type Scarce,
  type ServiceCosts,
} from './service-costs.ts';

/** Learns from the ends of reads. The transport notes when calls begin and end. */
export function learnCosts(statistics: CostStatistics, events: UpstreamEvents): void {
  events.on('callEnd', ({ request, onWire }, error, response) => {
    if (error !== undefined || request.write || !onWire) return;
    const rows = response?.data?.results;
    statistics.learn(request.endpoint, onWire, Array.isArray(rows) ? rows.length : 0);
  });
}

type LearntCosts = Omit<Learnt, 'pauses'>;

/** Variance of a call's work; those of one endpoint differ by their data. */
const noise = 0.04;
/** The same of a call beside others, whose share is a guess. */
const sharedNoise = 0.25;
/** The longest in which the gateway reads an answer, before V8 has compiled the code. Later it takes a tenth of that. */
const mostReadMs = 1;
/** Reads that only measure pause for so many times their cost. They take a hundredth of one worker's time. */
const pauses = 100;
const leastPauseMs = 1_000;
/** The most calls of a busy time. A service without a pause teaches after so many. */
const maxCalls = 96;

/**
 * Learns what calls cost the service, from their time on the wire. The service takes calls up in the order in which they
 * begin, as many at a time as its parallelism. A call that was alone shows its cost. The work of a busy time shows the
 * parallelism; such a time ends when no call is in flight.
 */
export class CostStatistics implements ServiceCosts {
  #onWire = 0;
  readonly #contract: Contract;
  readonly #calls: Pick<CallCounts, 'inFlight'>;
  readonly #prior: ServiceCosts;
  readonly #parallelism = new Parallelism();
  #slowing = new Slowing();
  readonly #loop = new EventLoop();
  readonly #endpoints = new Map<EndpointName, EndpointStatistics>();
  readonly #waiting = new Set<CallOnWire>();
  #served = 0;
  #begun = 0;
  #changedAt = 0;
  /** Answers in the busy time. */
  #ended = 0;
  /** The call that found the service idle, and was not alone. */
  #first: { endpoint: EndpointStatistics; work: Work } | undefined;
  /** Work of calls that nothing is learnt from. */
  #otherWorkMs = 0;

  constructor(contract: Contract, calls: Pick<CallCounts, 'inFlight'>) {
    this.#contract = contract;
    this.#calls = calls;
    this.#prior = priorCosts(contract);
  }

  of(endpoint: EndpointName): ExpectedCost {
    return this.#endpoints.get(endpoint)?.cost ?? this.#supposed(endpoint);
  }

  get parallelism(): number {
    return this.#parallelism.value;
  }

  get inFlight(): number {
    return this.#calls.inFlight;
  }

  get scarce(): Scarce {
    if (!this.#slowing.isNegligible) return 'service';
    return this.#loop.isBusy(performance.now()) ? 'gateway' : 'nothing';
  }

  shouldMeasure(endpoint: EndpointName): boolean {
    const known = this.#endpoints.get(endpoint);
    if (!known) return false;
    const { learntAt = 0, measuredAt, cost } = known;
    const now = performance.now();
    if (now - Math.max(learntAt, measuredAt) < Math.max(leastPauseMs, pauses * cost.callMs)) return false;
    known.measuredAt = now;
    return true;
  }

  /** The time of the last answer that counted, on the clock of `begin`. Undefined for figures that are only supposed. */
  learntAt(endpoint: EndpointName): number | undefined {
    return this.#endpoints.get(endpoint)?.learntAt;
  }

  /** A call is on the wire. `idleMs`: the time in which the event loop had nothing to do, since any moment. */
  begin(now: number, idleMs: number): CallOnWire {
    this.#pass(now);
    if (this.#onWire === 0) this.#endBusyTime();
    this.#begun += 1;
    const began = { beganAt: now, idleAtMs: idleMs, ahead: this.#onWire, begun: this.#begun };
    const call: CallOnWire = { ...began, servedAt: 0, ms: 0, waitedMs: 0, workMs: 0, isAlone: false };
    this.#onWire += 1;
    this.#waiting.add(call);
    this.#serve(now);
    return call;
  }

  /** The call has its answer or has failed. */
  end(call: CallOnWire, now: number, idleMs: number): void {
    this.#pass(now);
    this.#onWire -= 1;
    call.ms = now - call.beganAt;
    call.waitedMs = idleMs - call.idleAtMs;
    call.isAlone = call.ahead === 0 && call.begun === this.#begun;
    if (this.#waiting.delete(call)) {
      // The service works on more calls at a time than it has places: they share it.
      call.workMs = (call.ms * Math.min(this.#places, this.#onWire + 1)) / (this.#onWire + 1);
    } else {
      this.#served -= 1;
      call.workMs = now - call.servedAt;
    }
    this.#otherWorkMs += call.workMs;
    this.#serve(now);
  }

  /** The call that has ended brought a good answer to a read. */
  learn(name: EndpointName, call: CallOnWire, rows: number): void {
    const endpoint = madeOnce(this.#endpoints, name, () => this.#newStatistics(name, this.#supposed(name)));
    this.#otherWorkMs -= call.workMs;
    this.#ended += 1;
    endpoint.learntAt = call.beganAt + call.ms;
    add(endpoint.all, rows, call.workMs);
    if (call.ahead > 0) add(endpoint.shared, rows, call.workMs);
    else if (call.isAlone) endpoint.cost.observe({ calls: 1, rows, workMs: call.ms }, noise);
    else this.#first = { endpoint, work: { calls: 1, rows, workMs: call.ms } };
    if (rows === 0) this.#learnSlowing(endpoint, call);
    if (this.#onWire === 0 || this.#ended >= maxCalls) this.#endBusyTime();
  }

  /** A call of one object takes as long as another one. Pages differ by their rows. */
  #learnSlowing(endpoint: EndpointStatistics, { ms, waitedMs, ahead, begun, isAlone }: CallOnWire): void {
    const { restMs } = endpoint;
    const beside = ahead + this.#begun - begun;
    if (isAlone && ms > restMs && restMs < Number.POSITIVE_INFINITY) endpoint.restMs += (ms - restMs) / 8;
    else if (beside < few) endpoint.restMs = Math.min(ms, restMs);
    else if (ahead >= crowd && restMs < Number.POSITIVE_INFINITY) {
      // A busy gateway does other things than read the answers before this one.
      const readMs = Math.min(ms - waitedMs, ahead * mostReadMs);
      this.#slowing.observe(ahead, (ms - readMs) / restMs - 1);
    } else this.#slowing.suspect();
  }

  learnt(): LearntCosts {
    const shown = ({ callMs, rowMs }: CallCost) => ({ callMs, rowMs });
    const costs = [...this.#endpoints].map(([name, { cost }]) => [name, shown(cost)]);
    return { costs: Object.fromEntries(costs), parallelism: this.parallelism };
  }

  /** Begins with costs that another process has learnt. Those that this process has learnt stay. */
  adopt({ costs, parallelism }: LearntCosts): void {
    if (this.#endpoints.size === 0 && Number.isFinite(parallelism)) this.#parallelism.value = Math.max(1, parallelism);
    if (Object.keys(costs).length > 0) this.#slowing.suspect();
    for (const name of this.#contract.endpointNames) {
      const cost = costs[name];
      if (cost && !this.#endpoints.has(name)) this.#endpoints.set(name, this.#newStatistics(name, cost));
    }
  }

  /** Begins anew with the service that replaces another one. Its figures are those of the contract unless they are given. */
  restart({ costs = {}, parallelism = priorParallelism }: Partial<LearntCosts> = {}): void {
    this.#endpoints.clear();
    this.#first = undefined;
    this.#slowing = new Slowing();
    this.adopt({ costs, parallelism });
  }

  #pass(now: number): void {
    this.#parallelism.pass(this.#onWire, now - this.#changedAt);
    this.#changedAt = now;
  }

  /** Calls that the service takes up at a time. */
  get #places(): number {
    return Math.max(1, Math.round(this.parallelism));
  }

  #serve(now: number): void {
    for (const call of this.#waiting) {
      if (this.#served >= this.#places) return;
      this.#waiting.delete(call);
      this.#served += 1;
      call.servedAt = now;
    }
  }

  #endBusyTime(): void {
    this.#slowing.endBusyTime();
    if (this.#ended === 0) return;
    // A service that works in turn answers the first call early. A late answer says that the service works on all calls at
    // once, or that they slow each other down.
    const lateness = this.#first ? this.#first.work.workMs / this.#parallelism.busyMs : 0;
    const doubt = lateness ** 2 / 2;
    this.#first?.endpoint.cost.observe(this.#first.work, noise + doubt);
    let workMs = this.#otherWorkMs;
    let seenMs = this.#otherWorkMs;
    let uncertainMs = 0;
    for (const { cost, all } of this.#endpoints.values()) {
      if (all.calls === 0) continue;
      const expectedMs = cost.expectedMs(all);
      workMs += expectedMs;
      seenMs += all.workMs;
      uncertainMs += expectedMs * Math.sqrt(cost.variance(all));
    }
    const variance = (uncertainMs / workMs) ** 2 + noise / 2 + sharedNoise / this.#ended;
    const possibleMs = this.#parallelism.possible(workMs);
    let scale = this.#parallelism.observe(workMs, variance);
    // Without a pause, calls show how their costs compare. Twice the costs at twice the parallelism look the same.
    if (this.#onWire > 0 && seenMs > 0) scale = possibleMs / seenMs;
    for (const endpoint of this.#endpoints.values()) {
      const { all, shared } = endpoint;
      if (all.calls > 0) endpoint.all = none();
      if (shared.calls === 0) continue;
      shared.workMs *= scale;
      endpoint.cost.observe(shared, noise + doubt + sharedNoise / shared.calls + this.#parallelism.variance);
      endpoint.shared = none();
    }
    this.#first = undefined;
    this.#otherWorkMs = 0;
    this.#ended = 0;
  }

  #newStatistics(name: EndpointName, cost: CallCost): EndpointStatistics {
    return new EndpointStatistics(cost, this.#prior.of(name).rowMs > 0);
  }

  /** A service that differs from the contract at some endpoints is supposed to differ alike at the others. */
  #supposed(endpoint: EndpointName): ExpectedCost {
    const { callMs, rowMs } = this.#prior.of(endpoint);
    return { callMs: callMs * this.#meanFactor('callMs'), rowMs: rowMs * this.#meanFactor('rowMs'), isSupposed: true };
  }

  /** Learnt figures as multiples of the contract's: their geometric mean, with one more that is as the contract says. */
  #meanFactor(figure: keyof CallCost): number {
    let logs = 0;
    let count = 1;
    for (const [name, { cost }] of this.#endpoints) {
      const prior = this.#prior.of(name)[figure];
      if (prior === 0) continue;
      logs += Math.log(cost[figure] / prior);
      count += 1;
    }
    return Math.exp(logs / count);
  }
}

/** The cost of one endpoint, and its calls of the busy time. */
class EndpointStatistics {
  readonly cost: EndpointCost;
  learntAt: number | undefined;
  /** When a read was last to show the cost anew, or another process gave it. */
  measuredAt = performance.now();
  /** Milliseconds of a call of one object beside few others. */
  restMs = Number.POSITIVE_INFINITY;
  all = none();
  /** Those that found other calls in flight. */
  shared = none();

  /** `hasRows`: each row may cost. */
  constructor(cost: CallCost, hasRows: boolean) {
    this.cost = new EndpointCost(cost, hasRows);
  }
}

function none(): Work {
  return { calls: 0, rows: 0, workMs: 0 };
}

function add(work: Work, rows: number, workMs: number): void {
  work.calls += 1;
  work.rows += rows;
  work.workMs += workMs;
}
