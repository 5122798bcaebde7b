/**
 * Where a peer's CPU goes: a CPU profile of one operation under load, by package and by function.
 *
 *     node profile.ts <peer> <operation> [requests] [--alike]
 *
 * No two answers of the service are alike, but with `--alike`. The first thousands of requests run in V8's interpreter.
 */
import { parseArgs } from 'node:util';
import { freePort } from '../test/support/free-port.ts';
import { type ProfileNode, profileCpu } from './lib/cpu-profile.ts';
import { startLoadGenerator } from './lib/load.ts';
import { documentFor } from './lib/operations.ts';
import { peerNamed } from './lib/peers.ts';
import { withPeer } from './lib/running.ts';

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

const profile = await withPeer(
  { ...peer, command: peer.profiled ?? peer.command },
  { nodeFlags },
  async ({ url }, stub) => {
    if (!options.alike) await stub.change();
    const job = { url, document: documentFor(peer, operation), concurrency: 8 };
    await generator.send({ ...job, requests: Math.max(150, Math.round(requests / 2)) });
    return profileCpu(inspector, () => generator.send({ ...job, requests }));
  },
);
generator.stop();

console.log(
  `${peerName} ${operation}: ${(profile.total / 1000 / requests).toFixed(2)} ms busy per request, with the profiler on`,
);
print('By package, self', 18, (stack) => [packageOf(stack)]);
print('By function, self', 40, ([node]) => [nameOf(node!)]);
print('By function, with what it calls', 60, (stack) => new Set(stack.map(nameOf)));
print('By function of the peer, with the libraries and built-ins that it calls', 40, (stack) => [nearestOwn(stack)]);

function print(title: string, lines: number, keysOf: (stack: ProfileNode[]) => Iterable<string>): void {
  console.log(`\n${title}`);
  for (const [key, time] of profile.tally(keysOf).slice(0, lines)) {
    const share = ((100 * time) / profile.total).toFixed(1).padStart(6);
    console.log(`${share} % ${(time / requests).toFixed(1).padStart(8)} µs  ${key}`);
  }
}

/** The innermost function on the stack that belongs to the peer, and to none of its libraries. */
function nearestOwn(stack: ProfileNode[]): string {
  const own = stack.find(
    ({ callFrame: { url } }) => /\/(src|packages|peers)\//.test(url) && !url.includes('node_modules'),
  );
  return own === undefined ? 'none' : nameOf(own);
}

/** Built-ins have no file: they count for the nearest caller that has one, except JSON and garbage collection. */
function packageOf(stack: ProfileNode[]): string {
  const { functionName, url } = stack[0]!.callFrame;
  if (functionName.startsWith('(')) return functionName;
  if (!url && ['parse', 'stringify'].includes(functionName)) return `JSON.${functionName}`;
  const file = stack.map(({ callFrame }) => callFrame.url).find(Boolean);
  if (!file) return 'native';
  if (file.startsWith('node:')) return /http|net|stream|tls/.test(file) ? 'node: http, net, streams' : 'node: other';
  return /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? file.split('/').slice(-2, -1).join();
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  return `${functionName || '(anonymous)'} ${url.split('/').slice(-2).join('/')}:${lineNumber + 1}`;
}
