/**
 * Where a peer's CPU goes: a CPU profile of one operation under load, by package and by function.
 *
 *     node profile.ts <peer> <operation> [requests] [--alike]
 *
 * No two answers of the service are alike, but with `--alike`. The first thousands of requests run in V8's interpreter.
 */
import { parseArgs } from 'node:util';
import { freePort } from '../test/support/free-port.ts';
import { profileCpu } from './lib/cpu-profile.ts';
import { startLoadGenerator } from './lib/load.ts';
import { documentFor } from './lib/operations.ts';
import { peerNamed } from './lib/peers.ts';
import { withPeer } from './lib/running.ts';
import { sum } from './lib/statistics.ts';

const { values: options, positionals } = parseArgs({
  options: { alike: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const usual: Record<string, number> = { small: 24_000, page: 2_000, deep: 800, catalog: 16_000, idonly: 4_000 };
const [peerName = 'ours', operation = 'deep', count] = positionals;
const peer = peerNamed(peerName);
const requests = Number(count ?? usual[operation]);
const generator = startLoadGenerator();
const inspector = await freePort();
const nodeFlags = [`--inspect=127.0.0.1:${inspector}`];

const profile = await withPeer(peer, { nodeFlags }, async ({ url }, stub) => {
  if (!options.alike) await stub.change();
  const job = { url, document: documentFor(peer, operation), concurrency: 8 };
  await generator.send({ ...job, requests: Math.max(150, Math.round(requests / 2)) });
  return profileCpu(inspector, () => generator.send({ ...job, requests }));
});
generator.stop();

const byId = new Map(profile.nodes.map((node) => [node.id, node]));
const parentOf = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
const microseconds = new Map<number, number>();
for (const [i, id] of profile.samples.entries()) {
  microseconds.set(id, (microseconds.get(id) ?? 0) + profile.timeDeltas[i]!);
}
const busy = [...microseconds].filter(([id]) => byId.get(id)!.callFrame.functionName !== '(idle)');
const total = sum(busy.map(([, time]) => time));

console.log(
  `${peerName} ${operation}: ${(total / 1000 / requests).toFixed(2)} ms busy per request, with the profiler on`,
);
print(
  'By package, self',
  18,
  tally((id) => [packageOf(id)]),
);
print(
  'By function, self',
  40,
  tally((id) => [nameOf(id)]),
);
print(
  'By function, with what it calls',
  60,
  tally((id) => new Set(stackOf(id).map(nameOf))),
);

print(
  'By function of the peer, with the libraries and built-ins that it calls',
  40,
  tally((id) => [nearestOwn(id)]),
);

function tally(keysOf: (id: number) => Iterable<string>): Map<string, number> {
  const times = new Map<string, number>();
  for (const [id, time] of busy) for (const key of keysOf(id)) times.set(key, (times.get(key) ?? 0) + time);
  return times;
}

function print(title: string, lines: number, times: Map<string, number>): void {
  console.log(`\n${title}`);
  const longest = [...times].sort(([, a], [, b]) => b - a).slice(0, lines);
  for (const [key, time] of longest) {
    const share = ((100 * time) / total).toFixed(1).padStart(6);
    console.log(`${share} % ${(time / requests).toFixed(1).padStart(8)} µs  ${key}`);
  }
}

/** The node and its callers. */
function stackOf(id: number): number[] {
  const caller = parentOf.get(id);
  return caller === undefined ? [id] : [id, ...stackOf(caller)];
}

/** The innermost function on the stack that belongs to the peer. */
function nearestOwn(id: number): string {
  const own = stackOf(id).find((each) => /\/(src|peers)\//.test(byId.get(each)!.callFrame.url));
  return own === undefined ? 'none' : nameOf(own);
}

/** Built-ins have no file: they count for the nearest caller that has one, except JSON and garbage collection. */
function packageOf(id: number): string {
  const { functionName, url } = byId.get(id)!.callFrame;
  if (functionName.startsWith('(')) return functionName;
  if (!url && ['parse', 'stringify'].includes(functionName)) return `JSON.${functionName}`;
  const file = stackOf(id)
    .map((each) => byId.get(each)!.callFrame.url)
    .find(Boolean);
  if (!file) return 'native';
  if (file.startsWith('node:')) return /http|net|stream|tls/.test(file) ? 'node: http, net, streams' : 'node: other';
  return /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? file.split('/').slice(-2, -1).join();
}

function nameOf(id: number): string {
  const { functionName, url, lineNumber } = byId.get(id)!.callFrame;
  return `${functionName || '(anonymous)'} ${url.split('/').slice(-2).join('/')}:${lineNumber + 1}`;
}
