/**
 * Does the memory of documents end at its bound, and do the documents that are used stay in it?
 *
 *     node documents.ts [--documents 100000] [--peer ours]
 *
 * Sends documents that are all different: once, four times in two variants, and without a key. A good client sends its
 * own few documents meanwhile. Fails where the process takes 100 MiB more than at its start, both after a garbage
 * collection. Also fails where the gateway parses or compiles a document of the good client again.
 */
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { usedHeapMiB } from './lib/heap.ts';
import { connectInspector } from './lib/inspector.ts';
import { documentFor, operationNames } from './lib/operations.ts';
import { peerNamed } from './lib/peers.ts';
import { residentMiB } from './lib/process-tree.ts';
import { freePort } from './lib/processes.ts';
import { writeResults } from './lib/results.ts';
import { withPeer } from './lib/running.ts';
import { table } from './lib/tables.ts';

const { values: options } = parseArgs({
  options: { documents: { type: 'string', default: '100000' }, peer: { type: 'string', default: 'ours' } },
});
const documents = Number(options.documents);
const boundMiB = 100;
const concurrency = 8;
const key = 'Bearer documents';
/** Rounds of the good client's documents. */
const warmUp = 100;
const peer = peerNamed(options.peer);

interface Body {
  query: string;
  variables?: object;
}

const conditions = Array.from({ length: 6 }, (_, i) => i);
const declared = conditions.map((i) => `$v${i}: Boolean!`).join(' ');
const entity =
  'id name phone creator { id email managing_entitys { id name creator { id managing_entitys { id name } } } }';
const person = 'id first_name last_name name email phone city buyer { id name members { id email } }';
const company = 'id name email phone city country members { id email first_name }';

/** A list, many fields of one object, and objects of several types; each with 64 variants. */
const shapes = [
  (n: number) =>
    `query (${declared}) { a${n}: farmers(limit: 5) { count results { ${person} ${conditions.map((i) => `b${i}: name @include(if: $v${i})`).join(' ')} } } }`,
  (n: number) =>
    `query (${declared}) { a${n}: farmer(id: "NfaMpE4z39AH") { ${conditions.map((i) => `b${i}: buyer @include(if: $v${i}) { ${company} }`).join(' ')} } }`,
  (n: number) =>
    `query (${declared}) { a${n}: entity(id: "NfaMpE4z39AH") { ${entity} ${conditions.map((i) => `b${i}: name @include(if: $v${i})`).join(' ')} } }`,
];

function bodyOf(number: number, variant: number): Body {
  const variables = Object.fromEntries(conditions.map((i) => [`v${i}`, (variant >> i) % 2 === 1]));
  return { query: shapes[number % shapes.length]!(number), variables };
}

/** Documents, requests for each, and the key of the sender. */
const phases = [
  { name: 'once, with a key', share: 0.5, times: 1, key },
  { name: 'four times in two variants, with a key', share: 0.2, times: 4, key },
  { name: 'without a key, three times', share: 0.3, times: 3, key: undefined },
];

/** The good client's documents. */
const used = operationNames.map((name): Body => ({ query: documentFor(peer, name) }));

interface Row {
  name: string;
  requests: number;
  /** The highest so far in this phase. */
  peakMiB: number;
  /** After a garbage collection, like the heap. */
  rssMiB: number;
  heapMiB: number;
  shareMiB: number;
  /** Documents and trees of the good client that the cache lacked. */
  misses: number;
}

const port = await freePort();
const rows = await withPeer(peer, { nodeFlags: [`--inspect=127.0.0.1:${port}`] }, async ({ url, pid }) => {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: concurrency });
  const inspector = await connectInspector(port);
  const rows: Row[] = [];
  let serial = 0;
  let peakMiB = 0;
  let misses = 0;

  async function post(body: Body, authorization?: string): Promise<void> {
    const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
    const answer = await pool.request({ path: pathname, method: 'POST', headers, body: JSON.stringify(body) });
    await answer.body.dump({ limit: 2 ** 24 });
    if (answer.statusCode !== 200) throw new Error(`A document is answered with ${answer.statusCode}.`);
  }
  async function metric(name: string): Promise<number> {
    const text = await (await pool.request({ path: '/metrics', method: 'GET' })).body.text();
    return Number(new RegExp(`^${name}\\S* (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  }
  async function postAll(bodies: Body[], authorization?: string): Promise<void> {
    const waiting = [...bodies];
    const send = async () => {
      for (let body = waiting.pop(); body; body = waiting.pop()) await post(body, authorization);
    };
    await Promise.all(Array.from({ length: concurrency }, send));
  }
  const missesSoFar = () => metric('gateway_operation_cache_misses_total');
  /** The good client sends its documents, while nobody else sends any. */
  async function useDocuments(): Promise<void> {
    const before = await missesSoFar();
    for (const body of used) await post(body, 'Bearer good');
    misses += (await missesSoFar()) - before;
    peakMiB = Math.max(peakMiB, residentMiB(pid, 'VmRSS'));
  }
  async function look(name: string, requests: number): Promise<void> {
    const shareMiB = (await metric('gateway_memory_bytes{share="documents"}')) / 2 ** 20;
    const heapMiB = await usedHeapMiB(inspector);
    rows.push({ name, requests, peakMiB, rssMiB: residentMiB(pid, 'VmRSS'), heapMiB, shareMiB, misses });
    peakMiB = 0;
  }

  for (let time = 0; time < warmUp; time++) {
    await postAll([...used, ...used], 'Bearer good');
    await useDocuments();
  }
  misses = 0;
  await look('start', 0);
  for (const phase of phases) {
    const count = Math.round(documents * phase.share);
    const last = serial + count;
    while (serial < last) {
      const batch = Array.from({ length: Math.min(100, last - serial) }, () => serial++);
      for (let time = 0; time < phase.times; time++) {
        const bodies = batch.map((number) => bodyOf(number, number + (time % 2)));
        await postAll(bodies, phase.key);
      }
      await useDocuments();
    }
    await look(phase.name, count * phase.times);
  }
  inspector.close();
  await pool.close();
  return rows;
});
conclude();

function conclude(): void {
  const [start] = rows as [Row];
  const grown = Math.max(...rows.map(({ rssMiB }) => rssMiB)) - start.rssMiB;
  const missed = rows.at(-1)!.misses;
  const cells = rows.map((row) => [
    row.name,
    row.requests.toLocaleString('en'),
    ...[row.peakMiB, row.rssMiB, row.heapMiB, row.shareMiB].map((figure) => figure.toFixed(0)),
    String(row.misses),
  ]);
  const report = [
    `${documents.toLocaleString('en')} different documents: the process grew by ${grown.toFixed(0)} MiB (allowed: ${boundMiB}); ${missed} misses of the good client`,
    table(['documents', 'requests', 'RSS at most', 'RSS after GC', 'heap', 'share', 'misses of used'], cells),
  ].join('\n\n');
  console.log(report);
  if (!(grown <= boundMiB) || missed > 0) process.exitCode = 1;
  const isWhole = options.documents === '100000' && options.peer === 'ours';
  if (isWhole) writeResults('documents', { documents, boundMiB, rows }, { report });
}
