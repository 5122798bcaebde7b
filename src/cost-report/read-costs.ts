import { readFile } from 'node:fs/promises';
import { priorCosts, type ServiceCosts } from '../upstream/service-costs.ts';

/**
 * The costs that a running gateway has learnt. Endpoints without figures cost what the contract says.
 * @param from The URL of its metrics, or a file with their text.
 * @throws Error that names the place, where it has no such metrics.
 */
export async function readCosts(from: string): Promise<ServiceCosts> {
  const text = await readText(from);
  const calls = secondsIn(text, 'call');
  const rows = secondsIn(text, 'row');
  if (calls.size === 0) throw new Error(`${from}: There is no metric gateway_upstream_cost_call_seconds.`);
  const parallelism = /^gateway_upstream_parallelism(?:\{.*\})? (\S+)/m.exec(text)?.[1];
  return {
    of(endpoint) {
      const prior = priorCosts.of(endpoint);
      return { callMs: calls.get(endpoint) ?? prior.callMs, rowMs: rows.get(endpoint) ?? prior.rowMs };
    },
    parallelism: parallelism === undefined ? priorCosts.parallelism : Number(parallelism),
    inFlight: 0,
  };
}

async function readText(from: string): Promise<string> {
  if (!/^https?:/.test(from)) return readFile(from, 'utf8');
  const response = await fetch(from).catch((error: Error) => {
    throw new Error(`${from}: ${(error.cause as Error | undefined)?.message ?? error.message}`);
  });
  if (!response.ok) throw new Error(`${from}: The gateway answered ${response.status}.`);
  return response.text();
}

/** Milliseconds by endpoint, from the text format of Prometheus. */
function secondsIn(text: string, cost: 'call' | 'row'): Map<string, number> {
  const lines = text.matchAll(
    new RegExp(`^gateway_upstream_cost_${cost}_seconds\\{.*endpoint="(\\w+)".*\\} (\\S+)`, 'gm'),
  );
  return new Map([...lines].map(([, endpoint = '', seconds]) => [endpoint, 1000 * Number(seconds)]));
}
