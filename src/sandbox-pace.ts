import type { Pace } from '@gateway/graphiql';
import type { RestService } from '@gateway/rest-graph';
import type { CallCost } from '@gateway/upstream';

/** Request headers that make the sandbox slow or fail. The gateway forwards them, so that a page can show these states. */
export const sandboxControls = ['x-sandbox-delay', 'x-sandbox-fail'];

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
export function paceOf(sandbox: SandboxPace, { upstream: { statistics, contract } }: RestService): Pace {
  const pace: Pace = {
    name: () => sandbox.name,
    change(name) {
      const changed = sandbox.change(name);
      if (!changed) return false;
      const { cost, parallelism } = changed;
      const costs = cost && Object.fromEntries(contract.endpointNames.map((endpoint) => [endpoint, cost]));
      statistics.restart({ ...(costs && { costs }), ...(parallelism && { parallelism }) });
      return true;
    },
  };
  // Until calls show what an instant sandbox takes, estimates would be those of a real service.
  pace.change(sandbox.name);
  return pace;
}
