/**
 * Counts the files of the app and the packages of which a function runs while the gateway answers a query.
 *
 *     npm run executed-files -- [--query '{ farmers(limit: 4) { results { id } } }'] [--files]
 *
 * V8 counts the functions that run. The operation cache has no part of the second answer, and all of the later ones.
 * `--files` names the files, with the functions that ran in each.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connectInspector, type Inspector } from '../../bench/lib/inspector.ts';
import { peerNamed } from '../../bench/lib/peers.ts';
import { ask, withPeer } from '../../bench/lib/running.ts';
import { table } from '../../bench/lib/tables.ts';
import { freePort } from '../support/free-port.ts';

const { values: options } = parseArgs({
  options: {
    query: { type: 'string', default: '{ farmers(limit: 4) { results { id } } }' },
    files: { type: 'boolean', default: false },
  },
});

const root = new URL('../../', import.meta.url).href;

interface Coverage {
  result: { url: string; functions: { functionName: string; ranges: { count: number }[] }[] }[];
}

const port = await freePort();
// The built files are not those that people read.
const fromSources = { ...peerNamed('ours'), command: ['node', '../src/main.ts'] };
await withPeer(fromSources, { nodeFlags: [`--inspect=127.0.0.1:${port}`] }, async ({ url }, stub) => {
  await stub.change();
  const inspector = await connectInspector(port);
  await inspector.send('Profiler.enable');
  await inspector.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const rows: string[][] = [];
  let answered = 0;
  for (const before of [1, 20]) {
    for (; answered < before; answered++) await answer(url);
    await runFunctions(inspector);
    await answer(url);
    answered++;
    const files = await runFunctions(inspector);
    rows.push([String(before + 1), String(files.size), packagesOf(files)]);
    if (!options.files) continue;
    console.log(`\nAnswer ${before + 1}${before > 1 ? ', from the operation cache' : ''}:`);
    for (const [file, names] of [...files].sort()) console.log(`${file}: ${names.join(', ')}`);
  }
  console.log(table(['answer', 'files', 'by package'], rows));
  inspector.close();
});

async function answer(url: string): Promise<void> {
  const { status, body } = await ask(url, options.query, 'Bearer start');
  if (status !== 200 || body.errors) throw new Error(`${status}: ${JSON.stringify(body.errors)}`);
  // The gateway counts and logs the request after its answer.
  await pause(50);
}

/** The functions that ran since the last call, by file. */
async function runFunctions({ send }: Inspector): Promise<Map<string, string[]>> {
  const { result } = await send<Coverage>('Profiler.takePreciseCoverage');
  const files = new Map<string, string[]>();
  for (const { url, functions } of result) {
    const path = url.startsWith(root) ? url.slice(root.length) : '';
    const isOurs = /^(src|packages)\//.test(path);
    const ran = functions.filter(({ ranges }) => ranges[0]!.count > 0);
    if (isOurs && ran.length > 0) {
      files.set(
        path,
        ran.map(({ functionName }) => functionName || '(anonymous)'),
      );
    }
  }
  return files;
}

function packagesOf(files: Map<string, unknown>): string {
  const counts = new Map<string, number>();
  for (const path of files.keys()) {
    const [top, name] = path.split('/');
    const room = top === 'src' ? 'app' : name!;
    counts.set(room, (counts.get(room) ?? 0) + 1);
  }
  return [...counts].map(([room, count]) => `${room} ${count}`).join(', ');
}
