/**
 * Malformed uploads: 20,000 mutations of a multipart request, each on a connection of its own.
 *
 *     node multipart-fuzz.ts [--requests 20000] [--seed 1]
 *
 * Fails when the gateway ends, answers with 500 or more, or holds a request past its limit for silent clients.
 */
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { parseArgs } from 'node:util';
import { mutate, type Random, randomFrom } from './lib/multipart-mutations.ts';
import { writeResults } from './lib/results.ts';
import { table } from './lib/tables.ts';
import { chunked, file, form, head, lastChunk, operationOf } from './lib/upload-form.ts';
import { withUploadingGateway } from './lib/uploading.ts';

const { values: options } = parseArgs({
  options: { requests: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
});
const requests = Number(options.requests);
const seed = Number(options.seed);
const atOnce = 64;
const idleMs = 1_000;
/** `idleMs` until the answer to a silent client, 3 s for the rest of its body, and a reserve. */
const openMs = idleMs + 3_000 + 2_000;

const { outcomes, isRunning, temporaryFiles } = await fuzz();
conclude();

function fuzz() {
  return withUploadingGateway(
    { 'limits.uploads.idleTimeoutMs': String(idleMs) },
    async ({ url, pid, payment, temporaryFiles }) => {
      const random = randomFrom(seed);
      const original = form([...operationOf(payment), file('%PDF-1.7 '.repeat(200))]);
      const outcomes: Record<string, number> = {};
      let left = requests;
      const work = async () => {
        while (left-- > 0) {
          const outcome = await exchange(url, piecesOf(mutate(original, random), random));
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      return { outcomes, isRunning: existsSync(`/proc/${pid}`), temporaryFiles: temporaryFiles().length };
    },
  );
}

/** A request in two packets. Every fourth is chunked; of the others, every eighth says that it is longer than it is, or shorter. */
function piecesOf(body: Buffer, random: Random): Buffer[] {
  const isChunked = random(4) === 0;
  const difference = random(8) === 0 ? random(400) - 200 : 0;
  const length = Math.max(0, body.length + difference);
  const message = isChunked
    ? Buffer.concat([Buffer.from(head('chunked')), chunked(body), lastChunk])
    : Buffer.concat([Buffer.from(head(length)), body]);
  const cut = random(message.length);
  return [message.subarray(0, cut), message.subarray(cut)];
}

/** The status and the error code of the answer; without one, what became of the connection. */
function exchange(url: string, [first, second]: Buffer[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const conclude = (outcome: string) => {
      clearTimeout(limit);
      socket.destroy();
      resolve(outcome);
    };
    const limit = setTimeout(() => conclude('left open'), openMs);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') conclude('refused');
    });
    socket.on('close', () => conclude('closed'));
    // The gateway writes an answer of this size at once.
    socket.once('data', (answer) => {
      const [, status] = /^HTTP\/1\.1 (\d+)/.exec(String(answer)) ?? [];
      const [, code = 'stored'] = /"code":"(\w+)"/.exec(String(answer)) ?? [];
      conclude(`${status} ${code}`);
    });
    socket.write(first!, () => setImmediate(() => socket.write(second!)));
  });
}

function conclude(): void {
  const counts = Object.entries(outcomes).sort(([a], [b]) => a.localeCompare(b));
  const isBad = ([outcome]: [string, number]) => !/^[1-4]\d\d /.test(outcome) || outcome.includes('INTERNAL');
  const title = `${requests.toLocaleString('en')} mutations of a multipart request, seed ${seed}`;
  const end = `The gateway is ${isRunning ? 'running' : 'NOT running'} and holds ${temporaryFiles} temporary files.`;
  const rows = counts.map(([outcome, count]) => [outcome, count.toLocaleString('en')]);
  const report = `${title}\n\n${table(['answer', 'requests'], rows)}\n\n${end}`;
  console.log(report);
  if (!isRunning || temporaryFiles > 0 || counts.some(isBad)) process.exitCode = 1;
  if (requests === 20_000)
    writeResults('multipart-fuzz', { seed, idleMs, outcomes, isRunning, temporaryFiles }, { report });
}
