import type { CallCost, Upstream } from '@gateway/rest-graph';

/** The pace of a sandbox behind the gateway. */
export interface SandboxPace {
  readonly name: string;
  /**
   * Returns the cost of each call from now on, and how many calls the sandbox works on at once. Those that are left out are
   * the contract's. Undefined for a name that is no pace.
   */
  change(name: string): { cost?: CallCost; parallelism?: number } | undefined;
}

/** Changes the pace. The gateway drops the costs that it has learnt: plans and estimates fit from the first call on. */
export function changePace(pace: SandboxPace, name: string, { statistics, contract }: Upstream): boolean {
  const changed = pace.change(name);
  if (!changed) return false;
  const { cost, parallelism } = changed;
  const costs = cost && Object.fromEntries(contract.endpointNames.map((endpoint) => [endpoint, cost]));
  statistics.restart({ ...(costs && { costs }), ...(parallelism && { parallelism }) });
  return true;
}
