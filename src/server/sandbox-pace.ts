import type { CostStatistics } from '../upstream/cost-statistics.ts';
import { endpoints } from '../upstream/endpoints.ts';
import type { CallCost } from '../upstream/service-costs.ts';

/** The pace of a sandbox behind the gateway. */
export interface SandboxPace {
  readonly name: string;
  /** Returns the cost of each call from now on, or none for the costs of the contract. Undefined for a name that is no pace. */
  change(name: string): { cost?: CallCost } | undefined;
}

/** Changes the pace. The gateway drops the costs that it has learnt: plans and estimates fit from the first call on. */
export function changePace(pace: SandboxPace, name: string, statistics: CostStatistics): boolean {
  const changed = pace.change(name);
  if (!changed) return false;
  const { cost } = changed;
  statistics.restart(cost && Object.fromEntries(Object.keys(endpoints).map((endpoint) => [endpoint, cost])));
  return true;
}
