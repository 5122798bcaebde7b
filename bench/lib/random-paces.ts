import type { Cost, Pace } from '../../packages/sandbox/framework/options.ts';
import { realPace } from '../../packages/sandbox/framework/pace.ts';
import { Random } from '../../packages/sandbox/framework/random.ts';

const workers = [2, 4, 8, 16];

/**
 * Paces that nobody has tuned the gateway for. They have 2 to 16 workers. Each endpoint has other costs: 5 to 200 ms a call,
 * and 0 to 30 ms a row. Every third service gets slower under load.
 */
export function randomPaces(count: number, seed: number): Record<string, Pace> {
  const random = new Random(seed);
  const between = (low: number, high: number) => Math.round(10 * low * (high / low) ** random.next()) / 10;
  const cost = (endpoint: string): Cost => ({
    callMs: between(5, 200),
    ...(!endpoint.endsWith('{hashid}/') && { rowMs: random.chance(0.2) ? 0 : between(0.1, 30) }),
  });
  const reads = Object.keys(realPace).filter((name) => name.startsWith('GET '));
  const draw = (number: number): Pace => ({
    workers: workers[number % workers.length],
    slowdown: number % 3 === 2 ? 0.1 : 0,
    default: { callMs: between(5, 200) },
    ...Object.fromEntries(reads.map((name) => [name, cost(name)])),
  });
  return Object.fromEntries(Array.from({ length: count }, (_, number) => [`random-${seed}-${number}`, draw(number)]));
}
