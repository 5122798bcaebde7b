import { flatCosts } from '../../../../test/support/cost-profiles.ts';
import { madeOnce } from '../../../base/maps.ts';
import type { CallCost, ServiceCosts } from '../../../upstream/service-costs.ts';
import { Chance } from './chance.ts';

/** The costs of calls of a random service: plans choose GETs, pages, or some of both. A third of the services is flat. */
export function costsOf(seed: number): ServiceCosts {
  const chance = new Chance(seed + 3_000_000);
  if (chance.is(0.3)) return flatCosts;
  const costs = new Map<string, CallCost>();
  const drawn = () => ({ callMs: 1 + chance.below(200), rowMs: chance.below(20) });
  return {
    of: (endpoint) => madeOnce(costs, endpoint, drawn),
    parallelism: 1 + chance.below(16),
    inFlight: 0,
  };
}
