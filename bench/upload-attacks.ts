/**
 * Attacks on uploads, one kind after the other. Beside them, somebody uploads files who does nothing wrong.
 *
 *     node upload-attacks.ts [--seconds 20]
 *
 * Fails where one of the good files is not stored after five attempts. Also fails where strangers fill the temporary folder,
 * or where the memory grows beyond its bound.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Attacker, attack, attackers, dripping } from './lib/attackers.ts';
import { residentMiB } from './lib/process-tree.ts';
import { writeResults } from './lib/results.ts';
import { quantile } from './lib/statistics.ts';
import { table } from './lib/tables.ts';
import { uploadAndCompare } from './lib/upload-client.ts';
import { withUploadingGateway } from './lib/uploading.ts';

const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '20' } } });
const seconds = Number(options.seconds);
/** MiB that the resident memory may grow by. The share of all bodies is 64. */
const bound = 200;
const attempts = 5;

const known = (name: string, count: number): Attacker => ({ ...attackers.find((each) => each.name === name)!, count });
const kinds: Attacker[] = [
  known('forms without a key, a byte every ten seconds', 100),
  known('chunked forms of 20 MB without a key', 100),
  known('bodies that stall', 1_500),
  known('files that drip, with made-up keys', 100),
  dripping('files that drip, with one made-up key', 100, () => 'made-up'),
  known('slow clients: trickling upload', 100),
];

interface Row {
  kind: string;
  clients: number;
  outcomes: string;
  uploads: number;
  stored: number;
  times: number[];
  grownMiB: number;
  temporaryFiles: number;
}

const rows: Row[] = [];
for (const kind of kinds) {
  rows.push(await measure(kind));
  console.error(`${kind.name}: done.`);
}
conclude();

function measure(attacker: Attacker): Promise<Row> {
  return withUploadingGateway({ MEMORY_LIMIT: '1GiB' }, async ({ url, pid, payment, temporaryFiles }) => {
    const good = { payment, bytes: 200_000, isChunked: false, lastLineEnd: '\r\n' } as const;
    await uploadAndCompare(url, good);
    const idleMiB = residentMiB(pid, 'VmRSS');
    const ending = new AbortController();
    const attacks = attack(attacker, { url, payment, signal: ending.signal });
    const row = { uploads: 0, stored: 0, times: [] as number[], temporaryFiles: 0 };
    for (const end = performance.now() + seconds * 1_000; performance.now() < end; await sleep(500)) {
      const startedAt = performance.now();
      row.uploads++;
      for (let attempt = 1; attempt <= attempts; attempt++) {
        const failure = await uploadAndCompare(url, good).then(
          () => undefined,
          (error) => String(error),
        );
        if (failure === undefined) {
          row.stored++;
          row.times.push(performance.now() - startedAt);
          break;
        }
        const [, retryAfter = 1] = /"retry_after":(\d+)/.exec(failure) ?? [];
        await sleep(Number(retryAfter) * 1_000);
      }
      row.temporaryFiles = Math.max(row.temporaryFiles, temporaryFiles().length);
    }
    const grownMiB = residentMiB(pid, 'VmHWM') - idleMiB;
    ending.abort();
    const outcomes = [...(await attacks)].map(([outcome, count]) => `${outcome}: ${count}`).join(', ');
    return { kind: attacker.name, clients: attacker.count, outcomes, ...row, grownMiB };
  });
}

function isMet({ uploads, stored, temporaryFiles, grownMiB }: Row): boolean {
  return stored === uploads && temporaryFiles === 0 && grownMiB <= bound;
}

function conclude(): void {
  const cells = rows.map((row) => {
    const times = row.times.toSorted((a, b) => a - b);
    return [
      row.kind,
      String(row.clients),
      row.outcomes,
      `${row.stored} of ${row.uploads}`,
      quantile(times, 0.5).toFixed(0),
      quantile(times, 1).toFixed(0),
      row.grownMiB.toFixed(0),
      String(row.temporaryFiles),
      isMet(row) ? 'met' : 'missed',
    ];
  });
  const headings = [
    'attackers',
    'at a time',
    'what they got',
    'good files stored',
    'p50, ms',
    'slowest, ms',
    'RSS growth, MiB',
    'temporary files',
    'verdict',
  ];
  const report = table(headings, cells);
  console.log(report);
  if (!rows.every(isMet)) process.exitCode = 1;
  if (options.seconds === '20') writeResults('upload-attacks', { bound, rows }, { report });
}
