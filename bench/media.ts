/**
 * Does the gateway hold no file of the service in memory?
 *
 *     node media.ts [--megabytes 100]
 *
 * One client reads a file, then 20 read it at once and 20 more take nothing of it. Fails unless each read file is whole, and
 * the memory of the gateway grows by no more than the bound.
 */
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { cpuMilliseconds, residentMiB } from './lib/process-tree.ts';
import { freePort, start, stop, until } from './lib/processes.ts';
import { writeResults } from './lib/results.ts';
import { table } from './lib/tables.ts';

const { values: options } = parseArgs({ options: { megabytes: { type: 'string', default: '100' } } });
const megabytes = Number(options.megabytes);
const clients = 20;
/** MiB for one file, and for all of them: buffers of the connections, and the heap before its next collection. */
const bounds = { one: 24, many: 96 };
const piece = Buffer.alloc(2 ** 20, 'a');

function* pieces() {
  for (let sent = 0; sent < megabytes; sent += 1) yield piece;
}

const service = createServer(({ url }, response) => {
  // The gateway asks whether the service accepts a key.
  if (url?.startsWith('/v1/')) return response.end('{"count":0,"next":null,"previous":null,"results":[]}');
  response.writeHead(200, { 'content-type': 'image/png', 'content-length': megabytes * piece.length });
  // A client that leaves ends the stream with an error.
  pipeline(Readable.from(pieces()), response).catch(() => {});
}).listen(0, '127.0.0.1');
await once(service, 'listening');

const port = await freePort();
const gateway = start('media', ['node', '../src/main.ts'], {
  PORT: String(port),
  UPSTREAM_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`,
  MEDIA_PROXY: 'true',
  MEDIA_URL: 'https://gateway.example',
  IDEMPOTENCY_FILE: ':memory:',
});
const origin = `http://127.0.0.1:${port}`;
await until('The gateway', 30, async () => (await fetch(`${origin}/health/live`)).ok);

/** Bytes of the file as one caller reads it. */
async function read(caller: number): Promise<number> {
  const [response] = await once(
    get(`${origin}/media/a.png`, { headers: { authorization: `key ${caller}` } }),
    'response',
  );
  let bytes = 0;
  for await (const part of response) bytes += part.length;
  return bytes;
}

/** A connection that asks for the file and takes nothing of it. */
function stall(caller: number): () => void {
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => {});
  socket.write(`GET /media/a.png HTTP/1.1\r\nHost: a\r\nAuthorization: key ${caller}\r\n\r\n`);
  return () => socket.destroy();
}

async function measure(readers: number, stalled: number) {
  const [before, cpu] = [residentMiB(gateway.pid!, 'VmHWM'), cpuMilliseconds(gateway.pid!)];
  const ends = Array.from({ length: stalled }, (_, caller) => stall(1_000 + caller));
  const read = await Promise.all(Array.from({ length: readers }, (_, caller) => readWhole(caller)));
  for (const end of ends) end();
  const growthMiB = Math.round(residentMiB(gateway.pid!, 'VmHWM') - before);
  const cpuMsPerMiB = (cpuMilliseconds(gateway.pid!) - cpu) / (readers * megabytes);
  return { readers, stalled, whole: read.filter(Boolean).length, growthMiB, cpuMsPerMiB };
}

const readWhole = async (caller: number) => (await read(caller)) === megabytes * piece.length;

// The heap has its size.
for (let warming = 0; warming < 3; warming += 1) await read(0);
const one = await measure(1, 0);
const many = await measure(clients, clients);
const report = table(
  ['clients that read', 'that take nothing', 'whole files', 'memory grew by, MiB', 'CPU, ms for each MiB'],
  [one, many].map((row) =>
    [row.readers, row.stalled, row.whole, row.growthMiB, row.cpuMsPerMiB.toFixed(2)].map(String),
  ),
);
console.log(report);
if (megabytes >= 100) writeResults('media', { megabytes, bounds, one, many }, { report });
await stop(gateway);
const isGood =
  one.whole === 1 && many.whole === clients && one.growthMiB <= bounds.one && many.growthMiB <= bounds.many;
process.exit(isGood ? 0 : 1);
