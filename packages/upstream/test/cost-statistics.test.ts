import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { serviceContract } from '../../../src/service-contract.ts';
import type { EndpointName } from '../../contract/endpoint.ts';
import { planSearch } from '../../rest-graph/plan/planner.ts';
import { type CallCost, priorCosts } from '../service-costs.ts';
import { SimulatedService } from './simulated-service.ts';

const lists = ['listProductTransactions', 'listFarmers', 'listCards', 'listCurrencies'] as const;
const gets = ['getFarmer', 'getCompany', 'getProductTransaction'] as const;
const seeds = Array.from({ length: 20 }, (_, index) => 7919 * (index + 1));

/** The contract's figures, changed. */
function costs(change: (prior: CallCost, isList: boolean) => CallCost): Record<string, CallCost> {
  const changed = (endpoint: EndpointName) =>
    change(priorCosts(serviceContract).of(endpoint), endpoint.startsWith('list'));
  return Object.fromEntries([...lists, ...gets].map((endpoint) => [endpoint, changed(endpoint)]));
}

const contract = costs((prior) => prior);
const tenTimesDearer = costs(({ callMs, rowMs }) => ({ callMs: callMs * 10, rowMs: rowMs * 10 }));
const tenTimesCheaper = costs(({ callMs, rowMs }) => ({ callMs: callMs / 10, rowMs: rowMs / 10 }));

const dearCalls = {
  ...{ getCompany: { callMs: 156, rowMs: 0 }, getFarmer: { callMs: 40, rowMs: 0 } },
  ...{ listProductTransactions: { callMs: 30, rowMs: 12 }, listFarmers: { callMs: 30, rowMs: 6 } },
};
const dearEndpoints = Object.keys(dearCalls) as (keyof typeof dearCalls)[];

const rowsFree = costs(() => ({ callMs: 50, rowMs: 0 }));

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

test('costs of nearly 0 from another process leave those of other endpoints near the contract', () => {
  const { statistics } = new SimulatedService({ seed: 1, workers: 1, costs: {} });
  statistics.adopt({ costs: { listCards: { callMs: 1e-300, rowMs: 0 } }, parallelism: 4 });

  const { callMs, rowMs } = statistics.of('listFarmers');
  const prior = priorCosts(serviceContract).of('listFarmers');
  expect(callMs).toBeGreaterThan(prior.callMs / 100);
  expect(rowMs).toBeGreaterThan(prior.rowMs / 100);
});

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
    for (const [name, costs] of Object.entries({ contract, tenTimesDearer, tenTimesCheaper, rowsFree })) {
      test(`know a service of ${workers} workers (${name}) after 20 operations`, () => {
        const learnt = learn(workers, costs);
        expect(good(learnt.costs)).toBeGreaterThan(0.85);
        expect(good(learnt.parallelism, workers)).toBeGreaterThan(0.55);
        expect(good([median(learnt.parallelism)], workers)).toBe(1);
      });
    }
  }

  test('do not hold back a service of many workers', () => {
    const { parallelism } = learn(64, contract);
    // Some operations make up to 40 calls at a time.
    expect(median(parallelism)).toBeGreaterThan(20);
  });

  test('expect the right time of a burst over a service whose calls slow each other down', () => {
    const expected = seeds.map((seed) => {
      const service = new SimulatedService({ seed, workers: 4, costs: contract, isSharing: true });
      for (let operation = 0; operation < 40; operation += 1) runOperation(service);
      const { statistics } = service;
      return (20 * statistics.of('getFarmer').callMs) / Math.min(20, statistics.parallelism);
    });
    const { callMs } = priorCosts(serviceContract).of('getFarmer');
    expect(good([median(expected)], (20 * callMs) / 4)).toBe(1);
  });

  const twentyMs = costs(() => ({ callMs: 20, rowMs: 0 }));
  /** A hundred objects of a long list, as the statistics would have them found. */
  const planOf = ({ statistics }: SimulatedService) => {
    const { scarce, parallelism } = statistics;
    const list = statistics.of('listFarmers');
    const getMs = statistics.of('getFarmer').callMs;
    const search = { keys: 100, unread: 3_300, rowsOfWave: 0, nextPageShare: 0, maxPages: 33, pageSize: 100 };
    return planSearch({ list, getMs, scarce, parallelism, ...search, callsLeft: 500 }).chosen;
  };
  for (const isSharing of [false, true]) {
    const how = isSharing ? 'share it' : 'wait for each other';
    test.each([2, 4, 8])(`know that calls of a service of %i workers ${how}`, (workers) => {
      for (const seed of seeds) {
        const service = new SimulatedService({ seed, workers, costs: twentyMs, isSharing });
        for (let operation = 0; operation < 40; operation += 1) runOperation(service);
        expect(service.statistics.scarce).toBe('service');
        expect(planOf(service).pages).toBeGreaterThan(0);
      }
    });
  }

  test('suppose room for all calls until some have been in flight together', () => {
    for (const calls of [5, 100]) {
      const service = new SimulatedService({ seed: 1, workers: 4, costs: twentyMs });
      service.send('listFarmers', 100);
      service.run();
      expect(planOf(service)).toMatchObject({ gets: 100, pages: 0 });

      for (let call = 0; call < calls; call += 1) service.send('getFarmer', 0);
      service.run();
      expect(service.statistics.scarce).toBe('service');
    }
  });

  test('suppose no such room after another process has learnt the costs', () => {
    const { statistics } = new SimulatedService({ seed: 1, workers: 4, costs: {} });
    statistics.adopt({ costs: {}, parallelism: 4 });
    expect(statistics.scarce).not.toBe('service');
    statistics.adopt({ costs: { getFarmer: { callMs: 20, rowMs: 0 } }, parallelism: 4 });
    expect(statistics.scarce).toBe('service');
  });

  test('know that a service has room for all calls, so that a hundred objects come by id', () => {
    for (const seed of seeds) {
      const service = new SimulatedService({ seed, workers: 1_000, costs: twentyMs });
      for (let operation = 0; operation < 40; operation += 1) runOperation(service);
      expect(service.statistics.scarce).not.toBe('service');
      expect(planOf(service)).toMatchObject({ gets: 100, pages: 0 });
    }
  });

  test('blame no service for the time in which the gateway reads the answers of other calls', () => {
    for (const seed of seeds) {
      const twoMs = costs(() => ({ callMs: 2, rowMs: 0 }));
      const service = new SimulatedService({ seed, workers: 1_000, costs: twoMs, readMs: 0.5 });
      for (let operation = 0; operation < 40; operation += 1) runOperation(service);
      expect(service.statistics.scarce).not.toBe('service');
    }
  });

  test('know that calls of a service of four workers wait, beside much other work of the gateway', () => {
    for (const seed of seeds) {
      const service = new SimulatedService({ seed, workers: 4, costs: twentyMs, busyShare: 0.9 });
      for (let operation = 0; operation < 40; operation += 1) runOperation(service);
      expect(service.statistics.scarce).toBe('service');
    }
  });

  test('take a pause of the service for no lack of room', () => {
    const service = new SimulatedService({ seed: 1, workers: 1_000, costs: costs(() => ({ callMs: 5, rowMs: 0 })) });
    for (let operation = 0; operation < 40; operation += 1) runOperation(service);

    service.pauseMs = 60;
    for (let call = 0; call < 100; call += 1) service.send('getFarmer', 0);
    service.run();

    expect(service.statistics.scarce).not.toBe('service');
  });

  test('follow rows that become ten times dearer within 50 reads', () => {
    const rows = seeds.map((seed) => {
      const costs = { ...contract };
      const service = new SimulatedService({ seed, workers: 4, costs });
      for (let operation = 0; operation < 30; operation += 1) runOperation(service);
      const { callMs, rowMs } = service.cost('listFarmers');
      costs.listFarmers = { callMs, rowMs: rowMs * 10 };
      for (let read = 0; read < 50; read += 1) {
        service.send('listFarmers', service.pick([5, 20, 100]));
        if (service.random() < 0.5) service.run();
      }
      service.run();
      return service.statistics.of('listFarmers').rowMs / costs.listFarmers.rowMs;
    });
    expect(good(rows)).toBeGreaterThan(0.9);
  });

  for (const isSharing of [false, true]) {
    const how = isSharing ? 'all calls share it' : 'calls wait for each other';
    test(`know the costs 30 reads after a load of 60 callers, over a service where ${how}`, () => {
      const afterLoad: number[] = [];
      const parallelism: number[] = [];
      for (const seed of seeds) {
        const service = new SimulatedService({ seed, workers: 2, costs: dearCalls, isSharing });
        const read = (endpoint: EndpointName, then?: () => void) =>
          service.send(endpoint, endpoint.startsWith('list') ? service.pick([1, 5, 20, 100]) : 0, then);
        let left = 1_500;
        const goOn = () => {
          left -= 1;
          if (left >= 0) read(service.pick(dearEndpoints), goOn);
        };
        for (let caller = 0; caller < 60; caller += 1) goOn();
        service.run();
        // Ten operations of each endpoint: one call, then two at once.
        for (let operation = 0; operation < 10; operation += 1) {
          for (const endpoint of dearEndpoints) {
            read(endpoint, () => {
              read(endpoint);
              read(endpoint);
            });
            service.run();
          }
        }
        for (const endpoint of dearEndpoints)
          for (const rows of endpoint.startsWith('list') ? [1, 5, 20, 100] : [0])
            afterLoad.push(costOf(service.statistics.of(endpoint), rows) / costOf(service.cost(endpoint), rows));
        parallelism.push(service.statistics.parallelism);
      }
      expect(good(afterLoad)).toBeGreaterThan(0.95);
      expect(median(parallelism)).toBeGreaterThan(1.5);
    });
  }

  test('keep the size of costs while calls never pause', () => {
    const underLoad = seeds.flatMap((seed) => {
      const service = new SimulatedService({ seed, workers: 2, costs: dearCalls, isSharing: true });
      for (let turn = 0; turn < 20; turn += 1)
        for (const endpoint of dearEndpoints) {
          service.send(endpoint, endpoint.startsWith('list') ? 20 : 0);
          service.run();
        }
      let left = 3_000;
      const goOn = () => {
        left -= 1;
        if (left < 0) return;
        const endpoint = service.pick(dearEndpoints);
        service.send(endpoint, endpoint.startsWith('list') ? 20 : 0, goOn);
      };
      for (let caller = 0; caller < 60; caller += 1) goOn();
      service.run();
      return dearEndpoints.map((name) => costOf(service.statistics.of(name), 20) / costOf(service.cost(name), 20));
    });
    expect(Math.min(...underLoad)).toBeGreaterThan(0.3);
    expect(Math.max(...underLoad)).toBeLessThan(3);
  });

  test('know how old a figure is', () => {
    const service = new SimulatedService({ seed: 1, workers: 2, costs: contract });
    service.send('getFarmer', 0);
    service.run();
    const { statistics, now } = service;
    expect(statistics.learntAt('getFarmer')).toBeLessThan(now);
    expect(statistics.learntAt('getFarmer')).toBeGreaterThan(0);
    expect(statistics.learntAt('getCompany')).toBeUndefined();
  });

  test('want an old cost to be measured once, and again after a pause', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const service = new SimulatedService({ seed: 1, workers: 2, costs: contract });
    service.send('getFarmer', 0);
    service.run();
    const { statistics } = service;
    const learntAt = statistics.learntAt('getFarmer') ?? 0;
    const pauseMs = 100 * statistics.of('getFarmer').callMs;
    const wantsAfter = (ms: number) => {
      vi.advanceTimersByTime(learntAt + ms - performance.now());
      return [statistics.shouldMeasure('getFarmer'), statistics.shouldMeasure('getCompany')];
    };
    expect([pauseMs - 1, pauseMs + 1, 2 * pauseMs, 2 * pauseMs + 2].map(wantsAfter)).toEqual([
      [false, false],
      [true, false],
      [false, false],
      [true, false],
    ]);
  });

  test('want a cost of another process to be measured after a pause', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { statistics } = new SimulatedService({ seed: 1, workers: 2, costs: contract });
    statistics.adopt({ costs: { getFarmer: { callMs: 20, rowMs: 0 } }, parallelism: 4 });
    const wantsAfter = (ms: number) => {
      vi.advanceTimersByTime(ms);
      return statistics.shouldMeasure('getFarmer');
    };
    expect([1_999, 2, 1_998, 2].map(wantsAfter)).toEqual([false, true, false, true]);
  });

  test('count at least the work of the gateway over a service that answers at once', () => {
    const atOnce = costs(() => ({ callMs: 0.001, rowMs: 0 }));
    for (const seed of seeds) {
      const service = new SimulatedService({ seed, workers: 1, costs: atOnce });
      for (let operation = 0; operation < 40; operation += 1) runOperation(service);
      const { statistics } = service;
      const list = statistics.of('listFarmers');
      const getMs = statistics.of('getFarmer').callMs;
      const known = { list, getMs, parallelism: statistics.parallelism };
      const search = { keys: 33, unread: 2_000, rowsOfWave: 0, nextPageShare: 0, maxPages: 20, pageSize: 100 };
      expect(planSearch({ ...known, ...search, callsLeft: 500 }).chosen).toMatchObject({ gets: 33, pages: 0 });
    }
  });

  test('never give a cost that is negative or no number', () => {
    const wrong = [Number.NaN, -1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const ms of [...wrong, 0]) {
      const { statistics } = new SimulatedService({ seed: 1, workers: 1, costs: {} });
      statistics.adopt({ costs: { getFarmer: { callMs: ms, rowMs: ms } }, parallelism: ms });
      for (const name of ['getFarmer', 'listFarmers'] as const) {
        const first = statistics.begin(1_000, 0);
        const calls = [first, statistics.begin(1_000, 0), statistics.begin(1_000, 0)];
        for (const call of [...calls, statistics.begin(1_000 + ms, ms)]) {
          statistics.end(call, 1_000 + ms, ms);
          statistics.learn(name, call, 20);
        }
        const { callMs, rowMs } = statistics.of(name);
        expect(callMs).toBeGreaterThan(0);
        expect(callMs).toBeLessThan(1e6);
        expect(rowMs).toBeGreaterThanOrEqual(0);
        expect(rowMs).toBeLessThan(1e6);
        expect(statistics.parallelism).toBeGreaterThanOrEqual(1);
        expect(statistics.parallelism).toBeLessThan(1e6);
      }
    }
  });

  test('move little by one answer of 30 seconds', () => {
    const moves = seeds.map((seed) => {
      const costs = { ...contract };
      const service = new SimulatedService({ seed, workers: 4, costs, outliers: 0 });
      for (let operation = 0; operation < 30; operation += 1) runOperation(service);
      const before = service.statistics.of('getFarmer').callMs;
      costs.getFarmer = { callMs: 30_000, rowMs: 0 };
      service.send('getFarmer', 0);
      service.run();
      return service.statistics.of('getFarmer').callMs / before;
    });
    expect(Math.max(...moves)).toBeLessThan(1.4);
  });
});
