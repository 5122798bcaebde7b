/**
 * The longest synchronous pieces of work while a peer makes long answers: so long nobody else gets an answer.
 *
 *     node stalls.ts [--peers floor,ours] [--cases deep-1000,wide-600] [--requests 60]
 *
 * One request at a time, over answers of the service that all differ. The limits of our gateway are raised.
 * Fails where a piece of ours takes more than 15 ms of CPU for an answer up to 1 MB.
 */
import { parseArgs } from 'node:util';
import { freePort } from '../test/support/free-port.ts';
import { connectInspector } from './lib/inspector.ts';
import { startLoadGenerator } from './lib/load.ts';
import { watchPieces } from './lib/longest-piece.ts';
import { documentFor } from './lib/operations.ts';
import { choosePeers, type Peer } from './lib/peers.ts';
import { writeResults } from './lib/results.ts';
import { withPeer } from './lib/running.ts';
import { quantile } from './lib/statistics.ts';
import { short, table } from './lib/tables.ts';

const usual = { peers: 'floor,ours', requests: '60' };
const { values: options } = parseArgs({
  options: {
    peers: { type: 'string', default: usual.peers },
    cases: { type: 'string' },
    requests: { type: 'string', default: usual.requests },
  },
});
const requests = Number(options.requests);
const warmUp = 30;
const highestMs = 15;
const bytesOfBar = 1_048_576;

/** All fields of a transaction that are no references. */
const wide = `{ productTransactions(limit: 100) { count results {
  id number quantity amount date type method source_quantity current_quantity invoice invoice_number created_on updated_on
  verification_latitude verification_longitude quality_correction card_details { id card_id display_id }
  currency_details { id name code }
  transaction_payments { id number amount date type method payment_type created_on updated_on premium_details { id name } }
} } }`;

/** Operation and rows. */
const cases = ['page-1000', 'page-2000', 'deep-1000', 'deep-1700', 'wide-100', 'wide-800'];

interface Row {
  case: string;
  peer: string;
  bytes: number;
  /** Milliseconds of the longest piece of each request. */
  pieces: number[];
}
const rows: Row[] = [];

const generator = startLoadGenerator();
for (const peer of choosePeers(options.peers)) await measurePieces(peer);
generator.stop();
conclude();

async function measurePieces(peer: Peer): Promise<void> {
  const port = await freePort();
  const raised = { ...peer, env: { ...peer.env, CONFIG: 'generous.yaml' } };
  const nodeFlags = [`--inspect=127.0.0.1:${port}`];
  await withPeer(raised, { maxLimit: 5_000, nodeFlags }, async ({ url }, stub) => {
    await stub.change();
    const inspector = await connectInspector(port);
    const { takeLongestMs } = await watchPieces(inspector);
    for (const name of options.cases?.split(',') ?? cases) {
      const document = documentOf(peer, name);
      if (!document) continue;
      const job = { url, document, concurrency: 1 };
      await generator.send({ ...job, requests: warmUp });
      await takeLongestMs();
      const row: Row = { case: name, peer: peer.name, bytes: 0, pieces: [] };
      for (let i = 0; i < requests; i++) {
        const { bytes, errors, firstError } = await generator.send({ ...job, requests: 1 });
        if (errors > 0) throw new Error(`${peer.name} answers ${name} with ${firstError}`);
        row.bytes = bytes;
        row.pieces.push(await takeLongestMs());
      }
      row.pieces.sort((a, b) => a - b);
      rows.push(row);
      console.error(`${peer.name} ${name}: ${short(row.pieces.at(-1)!)} ms at most, ${row.bytes} bytes.`);
    }
    inspector.close();
  });
}

/** The floor knows the operations of `ops/` alone. */
function documentOf(peer: Peer, name: string): string | undefined {
  const [operation = '', limit] = name.split('-');
  if (operation === 'wide' && peer.name === 'floor') return undefined;
  return (operation === 'wide' ? wide : documentFor(peer, operation)).replace('limit: 100', `limit: ${limit}`);
}

function conclude(): void {
  const isMissed = ({ peer, bytes, pieces }: Row) =>
    peer === 'ours' && bytes <= bytesOfBar && pieces.at(-1)! > highestMs;
  const cells = rows.map((row) => [
    `${row.case}, ${row.peer}`,
    row.bytes.toFixed(0),
    short(quantile(row.pieces, 0.5)),
    short(quantile(row.pieces, 0.9)),
    short(row.pieces.at(-1)),
    isMissed(row) ? 'missed' : '',
  ]);
  const heading = `The longest piece of each of ${requests} requests, milliseconds of CPU; ${highestMs} at most for ours.`;
  const report = `${heading}\n\n${table(['operation-rows, peer', 'bytes', 'median', 'p90', 'longest', ''], cells)}`;
  console.log(report);
  if (rows.some(isMissed)) process.exitCode = 1;
  const isUsual = !options.cases && options.peers === usual.peers && options.requests === usual.requests;
  if (isUsual) writeResults('stalls', { requests, rows }, { report });
}
