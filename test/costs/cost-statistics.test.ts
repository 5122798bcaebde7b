import { describe, expect, test } from 'vitest';
import type { EndpointName } from '../../src/upstream/endpoints.ts';
import { type CallCost, priorCosts } from '../../src/upstream/service-costs.ts';
import { SimulatedService } from '../support/simulated-service.ts';

const lists = ['listProductTransactions', 'listFarmers', 'listCards', 'listCurrencies'] as const;
const gets = ['getFarmer', 'getCompany', 'getProductTransaction'] as const;
const seeds = Array.from({ length: 20 }, (_, index) => 7919 * (index + 1));

/** The contract's figures, changed. */
function costs(change: (prior: CallCost, isList: boolean) => CallCost): Record<string, CallCost> {
  const changed = (endpoint: EndpointName) => change(priorCosts.of(endpoint), endpoint.startsWith('list'));
  return Object.fromEntries([...lists, ...gets].map((endpoint) => [endpoint, changed(endpoint)]));
}

const contract = costs((prior) => prior);
const tenTimesDearer = costs(({ callMs, rowMs }) => ({ callMs: callMs * 10, rowMs: rowMs * 10 }));
const tenTimesCheaper = costs(({ callMs, rowMs }) => ({ callMs: callMs / 10, rowMs: rowMs / 10 }));

/** An operation of some client: a page, then GETs; or a single call; or several pages. */
function runOperation(service: SimulatedService): void {
  const kind = service.random();
  if (kind < 0.5) {
    const get = service.pick(gets);
    const references = 5 + Math.floor(36 * service.random());
    service.send(service.pick(lists), service.pick([1, 20, 100]), () => {
      for (let sent = 0; sent < references; sent += 1) service.send(get, 0);
    });
  } else if (kind < 0.65) service.send(service.pick(gets), 0);
  else if (kind < 0.75) service.send(service.pick(lists), 1);
  else if (kind < 0.9) {
    const list = service.pick(lists);
    for (let page = 0; page < 4; page += 1) service.send(list, 25);
  } else for (let root = 0; root < 5; root += 1) service.send(service.pick(lists), service.pick([5, 20]));
  service.run();
}

interface Learnt {
  /** Learnt costs as multiples of the true ones, of endpoints with five calls or more. */
  costs: number[];
  parallelism: number[];
}

function learn(workers: number, costs: Record<string, CallCost>, isSharing = false): Learnt {
  const learnt: Learnt = { costs: [], parallelism: [] };
  for (const seed of seeds) {
    const service = new SimulatedService({ seed, workers, costs, isSharing });
    for (let operation = 0; operation < 20; operation += 1) runOperation(service);
    for (const [endpoint, calls] of service.calls) {
      const rows = endpoint.startsWith('list') ? 20 : 0;
      if (calls >= 5)
        learnt.costs.push(costOf(service.statistics.of(endpoint), rows) / costOf(service.cost(endpoint), rows));
    }
    learnt.parallelism.push(service.statistics.parallelism);
  }
  return learnt;
}

function costOf({ callMs, rowMs }: CallCost, rows: number): number {
  return callMs + rowMs * rows;
}

/** The share of figures that differ from `truth` by less than 30 %. */
function good(figures: number[], truth = 1): number {
  return figures.filter((figure) => figure / truth < 1.3 && truth / figure < 1.3).length / figures.length;
}

function median(figures: number[]): number {
  return figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? Number.NaN;
}

describe('statistics of what calls cost', () => {
  for (const workers of [2, 4, 8]) {
    for (const [name, costs] of Object.entries({ contract, tenTimesDearer, tenTimesCheaper })) {
      test(`know a service of ${workers} workers (${name}) after 20 operations`, () => {
        const learnt = learn(workers, costs);
        expect(good(learnt.costs)).toBeGreaterThan(0.85);
        expect(good(learnt.parallelism, workers)).toBeGreaterThan(0.55);
        expect(median(learnt.parallelism) / workers).toBeCloseTo(1, 0.3);
      });
    }
  }
});
