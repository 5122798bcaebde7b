/**
 * The operations of test/golden-calls.md and of ops/, asked of the gateway itself, and of routers in front of it. Fails
 * where an answer or the calls of the service differ, and names operations that a router sends in parts. Needs `npm ci` in
 * test/federation.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { pino } from 'pino';
import { subgraphSdl } from '../packages/federation/sdl.ts';
import { startSandbox } from '../packages/sandbox/server.ts';
import { traceability } from '../src/app.ts';
import { startGateway } from '../src/compose.ts';
import { ratings } from '../test/federation/ratings.ts';
import { compose, startApolloGateway, startHiveGateway, startSubgraph } from '../test/federation/routers.js';
import { configOf } from '../test/support/settings.ts';

interface Answer {
  data?: unknown;
  errors?: { extensions?: { code?: string } }[];
}

interface Run {
  answer: Answer;
  calls: string[];
  /** Operations that the gateway was asked for. */
  requests: number;
}

interface Operation {
  name: string;
  document: string;
  key: string;
}

const sandbox = await startSandbox();
const gateway = await startGateway(traceability, {
  config: configOf({
    PORT: '0',
    FEDERATION: 'true',
    UPSTREAM_DIALECT: 'spec',
    'cache.lists.ttlMs': '600000',
    IDEMPOTENCY_FILE: ':memory:',
  }),
  upstreamUrl: sandbox.url,
  logger: pino({ level: 'silent' }),
  // Learnt costs would change the calls between two runs.
  costs: { of: () => ({ callMs: 50, rowMs: 0 }), parallelism: 64, inFlight: 0 },
});
const others = await startSubgraph('ratings', ratings.sdl, ratings.resolvers);
const supergraph = compose([{ name: 'traceability', url: gateway.url, sdl: subgraphSdl(traceability) }, others]);
const routers = {
  '@apollo/gateway': await startApolloGateway(supergraph),
  'Hive Gateway': await startHiveGateway(supergraph),
  'Hive Gateway with the planner of Hive Router': await startHiveGateway(supergraph, { planner: 'router' }),
};

const operations = [...golden(), ...benchmarked()];
const differences: string[] = [];
const splits: string[] = [];
let calls = 0;
for (const operation of operations) {
  // The first run finds nothing that an earlier one has learnt.
  await run(gateway.url, operation);
  const direct = await run(gateway.url, operation);
  calls += direct.calls.length;
  for (const [name, router] of Object.entries(routers)) {
    const routed = await run(router.url, operation);
    const difference = differenceOf(direct, routed);
    if (difference) differences.push(`${name}, ${operation.name}: ${difference}`);
    if (routed.requests > 1) splits.push(`${name}, ${operation.name}: ${routed.requests} requests`);
  }
}
const answers = operations.length * Object.keys(routers).length;
console.log(`${operations.length} operations, which cost ${calls} calls of the service.`);
console.log(`${answers - differences.length} of ${answers} answers of routers are equal, for the same calls.`);
for (const each of [...differences, ...splits]) console.log(each);
for (const router of Object.values(routers)) await router.close();
await others.close();
await gateway.close();
await sandbox.close();
process.exitCode = differences.length > 0 ? 1 : 0;

function golden(): Operation[] {
  const text = readFileSync(new URL('../test/golden-calls.md', import.meta.url), 'utf8');
  return text.split(/^## /m).flatMap((section) => {
    const name = section.slice(0, section.indexOf('\n'));
    const blocks = section.matchAll(/^```graphql(.*)\n([\s\S]*?)^```$/gm);
    return [...blocks].map(([, info = '', document = '']) => ({
      name,
      document,
      key: /demo-\w+/.exec(info)?.[0] ?? 'demo-coop',
    }));
  });
}

/** The ids of these operations are those of the benchmark's stub: the sandbox does not know them. */
function benchmarked(): Operation[] {
  const folder = new URL('ops/', import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.graphql'));
  return files.map((name) => ({ name, document: readFileSync(new URL(name, folder), 'utf8'), key: 'demo-coop' }));
}

async function run(url: string, { document, key }: Operation): Promise<Run> {
  const before = await requestsOfGateway();
  sandbox.clearCalls();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: key },
    body: JSON.stringify({ query: document }),
  });
  const answer = (await response.json()) as Answer;
  const calls = sandbox.calls().map(({ method, path }) => `${method} ${path}`);
  return { answer, calls, requests: (await requestsOfGateway()) - before };
}

async function requestsOfGateway(): Promise<number> {
  const metrics = await (await fetch(new URL('/metrics', gateway.url))).text();
  const counts = metrics.matchAll(/^gateway_operations_total\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

function differenceOf(direct: Run, routed: Run): string | undefined {
  const isWrite = direct.calls.some((call) => !call.startsWith('GET '));
  // Each run of a mutation makes other objects.
  const callsOf = ({ calls }: Run) =>
    calls.map((call) => (isWrite ? call.replace(/\b[A-Z\d]{10}\b/g, '…') : call)).toSorted();
  const codesOf = ({ answer: { errors = [] } }: Run) => errors.map(({ extensions }) => extensions?.code).toSorted();
  const dataOf = ({ answer: { data } }: Run) => (isWrite ? shapeOf(data) : data);
  for (const [what, of] of Object.entries({ calls: callsOf, errors: codesOf, data: dataOf })) {
    if (isDeepStrictEqual(of(direct), of(routed))) continue;
    return `other ${what}: ${JSON.stringify(of(routed))} instead of ${JSON.stringify(of(direct))}`;
  }
  return undefined;
}

/** The value without its texts and numbers. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]));
}
