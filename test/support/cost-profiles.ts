import fc from 'fast-check';
import type { EndpointName } from '../../packages/contract/endpoint.ts';
import { type CallCost, priorCosts, type ServiceCosts } from '../../packages/upstream/service-costs.ts';
import { serviceContract } from '../../src/service-contract.ts';

/** Each call takes as long as any other, and rows are free. The gateway plans for the fewest calls. */
export const flatCosts: ServiceCosts = { of: () => ({ callMs: 50, rowMs: 0 }), parallelism: 64, inFlight: 0 };

/** A real service with four workers. */
export const realCosts = priorCosts(serviceContract);

/** The cost of each call of a service, as data. Calls that it does not name have flat costs. */
export interface CostTable {
  calls: Readonly<Partial<Record<EndpointName, CallCost>>>;
  parallelism: number;
}

const callCost = fc.record({ callMs: fc.integer({ min: 1, max: 200 }), rowMs: fc.nat(20) });

/** Every third table is undefined, which stands for `flatCosts`. */
export const randomCosts: fc.Arbitrary<CostTable | undefined> = fc.option(
  fc.record({
    calls: fc.record(Object.fromEntries(serviceContract.endpointNames.map((name) => [name, callCost]))),
    parallelism: fc.integer({ min: 1, max: 64 }),
  }),
  { nil: undefined, freq: 3 },
);

/** Costs that a test changes while its gateway runs. */
export class TableCosts implements ServiceCosts {
  table: CostTable | undefined;
  readonly inFlight = 0;

  constructor(table?: CostTable) {
    this.table = table;
  }

  of(endpoint: EndpointName): CallCost {
    return this.table?.calls[endpoint] ?? flatCosts.of(endpoint);
  }

  get parallelism(): number {
    return this.table?.parallelism ?? flatCosts.parallelism;
  }
}
