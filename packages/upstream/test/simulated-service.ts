import { serviceContract } from '../../../src/service-contract.ts';
import type { EndpointName } from '../../contract/endpoint.ts';
import { CostStatistics } from '../cost-statistics.ts';
import type { CallCost } from '../service-costs.ts';

interface Job {
  leftMs: number;
  end(): void;
}

export interface SimulationOptions {
  seed: number;
  workers: number;
  costs: Readonly<Partial<Record<EndpointName, CallCost>>>;
  /** All workers share all calls, in place of one call each in the order in which calls came. */
  isSharing?: boolean;
  /** Calls take 10 times as long so often. */
  outliers?: number;
  /** Milliseconds in which the gateway reads an answer, and no other one. */
  readMs?: number;
  /** The share of the other time in which the gateway does other work. */
  busyShare?: number;
}

/** A service in virtual time, whose calls the statistics see. Calls differ by a fifth. */
export class SimulatedService {
  readonly statistics = new CostStatistics(serviceContract, { inFlight: 0 });
  readonly #options: Required<SimulationOptions>;
  readonly calls = new Map<EndpointName, number>();
  readonly #jobs: Job[] = [];
  /** Milliseconds in which the gateway read answers. */
  #busyMs = 0;
  /** Milliseconds. */
  now = 0;
  /** Milliseconds in which the service stands still before the next answer. */
  pauseMs = 0;
  #state: number;

  constructor(options: SimulationOptions) {
    this.#options = { isSharing: false, outliers: 0.02, readMs: 0, busyShare: 0, ...options };
    this.#state = options.seed;
  }

  get #idleMs(): number {
    return (this.now - this.#busyMs) * (1 - this.#options.busyShare);
  }

  cost(endpoint: EndpointName): CallCost {
    return this.#options.costs[endpoint] ?? { callMs: 1, rowMs: 0 };
  }

  /** Calls once `run` is called; `then`, with the answer. */
  send(endpoint: EndpointName, rows: number, then = () => {}): void {
    const { callMs, rowMs } = this.cost(endpoint);
    const factor = this.random() < this.#options.outliers ? 10 : 0.8 + 0.4 * this.random();
    const call = this.statistics.begin(this.now, this.#idleMs);
    const end = () => {
      this.calls.set(endpoint, (this.calls.get(endpoint) ?? 0) + 1);
      this.statistics.end(call, this.now, this.#idleMs);
      this.statistics.learn(endpoint, call, rows);
      then();
    };
    this.#jobs.push({ leftMs: (callMs + rowMs * rows) * factor, end });
  }

  /** Ends all calls. */
  run(): void {
    const { workers, isSharing, readMs } = this.#options;
    for (;;) {
      const active = isSharing ? this.#jobs : this.#jobs.slice(0, workers);
      const next = active.reduce<Job | undefined>(
        (least, job) => (least && least.leftMs <= job.leftMs ? least : job),
        undefined,
      );
      if (!next) break;
      const { leftMs } = next;
      this.now += leftMs * Math.max(1, active.length / workers) + this.pauseMs + readMs;
      this.pauseMs = 0;
      this.#busyMs += readMs;
      for (const job of active) job.leftMs = Math.max(0, job.leftMs - leftMs - readMs);
      this.#jobs.splice(this.#jobs.indexOf(next), 1);
      next.end();
    }
    this.now += 200;
  }

  /** From 0 to 1, the same for the same seed (mulberry32). */
  random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.random() * items.length)] as Item;
  }
}
