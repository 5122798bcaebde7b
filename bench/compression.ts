/**
 * Content codings of real answers: bytes and CPU of each level, at once and in the thread pool.
 *
 *     node compression.ts
 *
 * Fails where the gateway sends an answer in more bytes than the level that it is said to use.
 */
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { request } from 'undici';
import { startSandbox } from '../packages/sandbox/server.ts';
import { peerNamed } from './lib/peers.ts';
import { root } from './lib/processes.ts';
import { writeResults } from './lib/results.ts';
import { startPeer } from './lib/running.ts';
import { median } from './lib/statistics.ts';
import { short, table } from './lib/tables.ts';

const { constants } = zlib;
const example = readFileSync(`${root}../packages/graphiql/examples/transactions.graphql`, 'utf8');
const transactions = (rows: number) => example.replace('first: 5', `first: ${rows}`);
const documents = {
  '2 transactions': transactions(2),
  '10 transactions': transactions(10),
  '100 transactions': transactions(100),
  '1,000 transactions': transactions(1_000),
  catalogs: readFileSync(`${root}../packages/graphiql/examples/purchase-lookups.graphql`, 'utf8'),
};
const windowBits = 18;
const tableBits = 17;

/** The options of a coding at a level, for a text of so many bytes. */
const codings = {
  br: {
    levels: [1, 3, 4, 5, 6, 7, 9],
    options: (level: number, bytes: number) => ({
      params: {
        [constants.BROTLI_PARAM_QUALITY]: level,
        [constants.BROTLI_PARAM_LGWIN]: windowBits,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
      },
    }),
    codeSync: zlib.brotliCompressSync,
    code: promisify(zlib.brotliCompress) as Code,
  },
  zstd: {
    levels: [1, 3, 5, 6, 7, 9, 12],
    options: (level: number, bytes: number) => ({
      params: {
        [constants.ZSTD_c_compressionLevel]: level,
        [constants.ZSTD_c_windowLog]: windowBits,
        // The tables of level 9 and more would take 10 MB.
        ...(level >= 7 && { [constants.ZSTD_c_hashLog]: tableBits, [constants.ZSTD_c_chainLog]: tableBits }),
      },
      pledgedSrcSize: bytes,
    }),
    codeSync: zlib.zstdCompressSync,
    code: promisify(zlib.zstdCompress) as Code,
  },
  gzip: {
    levels: [1, 4, 5, 6, 7, 9],
    options: (level: number) => ({ level }),
    codeSync: zlib.gzipSync,
    code: promisify(zlib.gzip) as Code,
  },
};
type Code = (text: Buffer, options: object) => Promise<Buffer>;
type Coding = keyof typeof codings;
/** The levels of packages/graphql-serve/http/content-coding.ts. */
const chosen: Record<Coding, number> = { zstd: 9, br: 5, gzip: 6 };

const sandbox = await startSandbox({ data: ':memory:' });
const gateway = await startPeer(peerNamed('ours'), sandbox.url);
const answers: [name: string, text: Buffer][] = [];
for (const [name, query] of Object.entries(documents)) answers.push([name, await bytesOf(query, 'identity')]);

const levels = Object.entries(codings).flatMap(([name, { levels, options, codeSync }]) =>
  levels.map((level) => {
    const measured = answers.map(([, text]) => {
      const code = () => codeSync(text, options(level, text.length));
      return { bytes: code().length, cpuMs: cpuMsOf(code, text.length) };
    });
    return { name: `${name} ${level}${chosen[name as Coding] === level ? ' (used)' : ''}`, measured };
  }),
);
const ways: { name: string; bytes: number; atOnce: number; inPool: number; inPoolAll: number }[] = [];
for (const [name, { options, codeSync, code }] of Object.entries(codings)) {
  for (const [, text] of answers) {
    const given = options(chosen[name as Coding], text.length);
    const pool = await poolCpuMs(() => code(text, given), text.length);
    ways.push({ name, bytes: text.length, atOnce: cpuMsOf(() => codeSync(text, given), text.length), ...pool });
  }
}
for (const [at, [name, query]] of Object.entries(documents).entries()) {
  for (const coding of Object.keys(codings) as Coding[]) {
    const sent = (await bytesOf(query, coding)).length;
    const row = levels.find((each) => each.name === `${coding} ${chosen[coding]} (used)`)!;
    const { bytes } = row.measured[at]!;
    if (sent <= 1.02 * bytes) continue;
    console.error(`${name} in ${coding}: the gateway sends ${sent} bytes, and its level makes ${bytes}.`);
    process.exitCode = 1;
  }
}
await gateway.stop();
await sandbox.close();

const plain = ['none', ...answers.map(([, text]) => String(text.length))];
const rows = levels.map(({ name, measured }) => [
  name,
  ...measured.map(({ bytes, cpuMs }) => `${bytes} / ${short(cpuMs)}`),
]);
const byLevel = table(['bytes / CPU ms', ...answers.map(([name]) => name)], [plain, ...rows]);
const byWay = table(
  ['coding', 'bytes', 'at once', 'thread pool: main thread', 'thread pool: all threads'],
  ways.map(({ name, bytes, atOnce, inPool, inPoolAll }) => [
    name,
    String(bytes),
    short(atOnce),
    short(inPool),
    short(inPoolAll),
  ]),
);
const report = `${byLevel}\n\nCPU ms of one answer\n\n${byWay}`;
console.log(report);
writeResults('compression', { levels, ways }, { report });

/** An answer as it comes over the wire. */
async function bytesOf(query: string, accepted: string): Promise<Buffer> {
  const { body } = await request(gateway.url, {
    method: 'POST',
    headers: { authorization: 'demo-coop', 'content-type': 'application/json', 'accept-encoding': accepted },
    body: JSON.stringify({ query }),
  });
  return Buffer.from(await body.arrayBuffer());
}

function timesFor(bytes: number): number {
  return Math.ceil(Math.min(100, 2_000_000 / bytes));
}

/** The median of several batches, because other processes disturb some. */
function cpuMsOf(work: () => unknown, bytes: number): number {
  const times = timesFor(bytes);
  const batches = Array.from({ length: 9 }, () => {
    const before = process.threadCpuUsage();
    for (let i = 0; i < times; i++) work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000 / times;
  });
  return median(batches);
}

async function poolCpuMs(work: () => Promise<unknown>, bytes: number): Promise<{ inPool: number; inPoolAll: number }> {
  const times = timesFor(bytes);
  const batches: { inPool: number; inPoolAll: number }[] = [];
  for (let batch = 0; batch < 9; batch++) {
    const main = process.threadCpuUsage();
    const all = process.cpuUsage();
    for (let i = 0; i < times; i++) await work();
    const mainUsed = process.threadCpuUsage(main);
    const allUsed = process.cpuUsage(all);
    batches.push({
      inPool: (mainUsed.user + mainUsed.system) / 1_000 / times,
      inPoolAll: (allUsed.user + allUsed.system) / 1_000 / times,
    });
  }
  const of = (figure: 'inPool' | 'inPoolAll') => median(batches.map((batch) => batch[figure]));
  return { inPool: of('inPool'), inPoolAll: of('inPoolAll') };
}
