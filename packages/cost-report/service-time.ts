import type { Contract } from '@gateway/contract';
import type { ServiceCosts } from '@gateway/upstream';
import type { SteppedCall } from './stepwise-service.ts';

/** The time of the calls of one operation, at given costs. */
export interface ServiceTime {
  /** Milliseconds that the service works, the sum over all calls. */
  workMs: number;
  /** Milliseconds until the last answer, where the service does nothing else. */
  ms: number;
}

export function serviceTimeOf(calls: readonly SteppedCall[], costs: ServiceCosts, contract: Contract): ServiceTime {
  const paths = pathsOf(contract);
  const waves = Object.values(Object.groupBy(calls, ({ wave }) => wave)).map((wave = []) => {
    const works = wave.map((call) => workOf(call, costs, paths));
    const workMs = works.reduce((sum, work) => sum + work, 0);
    // Calls beyond the parallelism of the service wait for each other.
    return { workMs, ms: Math.max(...works, workMs / costs.parallelism) };
  });
  const sumOf = (figure: keyof ServiceTime) => Math.round(waves.reduce((sum, wave) => sum + wave[figure], 0));
  return { workMs: sumOf('workMs'), ms: sumOf('ms') };
}

type Paths = ReturnType<typeof pathsOf>;

function pathsOf(contract: Contract) {
  return contract.endpointNames.map((endpoint) => {
    const { method, path } = contract.endpoint(endpoint);
    return { endpoint, method, pattern: new RegExp(`^${path.replace(/\{\w+\}/, '[^/]+')}(\\?|$)`) };
  });
}

function workOf({ method, path, rows }: SteppedCall, costs: ServiceCosts, paths: Paths): number {
  const called = paths.find((each) => each.method === method && each.pattern.test(path));
  if (!called) throw new Error(`The contract has no endpoint ${method} ${path}.`);
  const { callMs, rowMs } = costs.of(called.endpoint);
  return callMs + rowMs * rows;
}
