import { readMetrics, samplesOf } from '@gateway/base';
import type { Contract } from '@gateway/contract';
import { priorCosts, priorParallelism, type ServiceCosts } from '@gateway/upstream';

/**
 * The costs that a running gateway has learnt. Endpoints without figures cost what the contract says.
 * @param from The URL of its metrics, or a file with their text.
 * @throws Error that names the place, where it has no such metrics.
 */
export async function readCosts(from: string, contract: Contract): Promise<ServiceCosts> {
  const priors = priorCosts(contract);
  const text = await readMetrics(from);
  const calls = secondsIn(text, 'call');
  const rows = secondsIn(text, 'row');
  if (calls.size === 0) throw new Error(`${from}: There is no metric gateway_upstream_cost_call_seconds.`);
  const [parallelism = { value: priorParallelism }] = samplesOf(text, 'gateway_upstream_parallelism');
  return {
    of(endpoint) {
      const prior = priors.of(endpoint);
      return { callMs: calls.get(endpoint) ?? prior.callMs, rowMs: rows.get(endpoint) ?? prior.rowMs };
    },
    parallelism: parallelism.value,
    inFlight: 0,
  };
}

/** Milliseconds by endpoint. */
function secondsIn(text: string, cost: 'call' | 'row'): Map<string, number> {
  const samples = samplesOf(text, `gateway_upstream_cost_${cost}_seconds`);
  return new Map(samples.map(({ labels: { endpoint = '' }, value }) => [endpoint, 1000 * value]));
}
