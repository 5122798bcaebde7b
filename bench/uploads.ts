/**
 * Uploads: the memory and temporary disk that the gateway uses for many or for large files at once. Also compares the
 * stored files with those that were sent.
 *
 *     node uploads.ts [--series many,large,equal]
 *
 * Fails when a bound is broken.
 */
import { parseArgs } from 'node:util';
import { randomFrom } from './lib/multipart-mutations.ts';
import { residentMiB } from './lib/process-tree.ts';
import { writeResults } from './lib/results.ts';
import { table } from './lib/tables.ts';
import { type Upload, uploadAndCompare } from './lib/upload-client.ts';
import { withUploadingGateway } from './lib/uploading.ts';

const all = 'many,large,equal';
const { values: options } = parseArgs({ options: { series: { type: 'string', default: all } } });
const chosen = options.series.split(',');

/** MiB that the resident memory may grow by, over that of the gateway after its first upload. */
const bound = 100;
const sampleMs = 50;

interface Series {
  name: string;
  title: string;
  /** All but `payment`. */
  uploads: Omit<Upload, 'payment'>[];
  atOnce: number;
  settings: Record<string, string>;
  /** Whether memory and disk are held to the bounds. */
  isBounded: boolean;
}

const declared = (bytes: number) => ({ bytes, isChunked: false, lastLineEnd: '\r\n' as const });

const series: Series[] = [
  {
    name: 'many',
    title: '30 × 20 MB at once',
    uploads: Array.from({ length: 30 }, () => declared(20_000_000)),
    atOnce: 30,
    settings: {},
    isBounded: true,
  },
  {
    name: 'large',
    title: '4 × 1 GB at once',
    uploads: Array.from({ length: 4 }, () => declared(1_000_000_000)),
    atOnce: 4,
    settings: { 'limits.uploads.fileBytes': '1000000000' },
    isBounded: true,
  },
  {
    name: 'equal',
    title: '1,000 of 0 B to 3 MB, every fourth without a length',
    uploads: sizes(1_000).map((bytes, index) => ({
      bytes,
      isChunked: index % 4 === 0,
      lastLineEnd: index % 3 === 0 ? '' : '\r\n',
    })),
    atOnce: 8,
    settings: {},
    isBounded: false,
  },
];

interface Outcome {
  series: string;
  uploads: number;
  /** Megabytes. */
  megabytes: number;
  seconds: number;
  idleMiB: number;
  peakMiB: number;
  temporaryFiles: number;
  /** Why uploads failed, or are not what was sent. */
  failures: string[];
  isGood: boolean;
}

const outcomes: Outcome[] = [];
for (const each of series.filter(({ name }) => chosen.includes(name))) outcomes.push(await run(each));
conclude();

/** Sizes from 0 to 3 MB: some around those of buffers, the others random but the same each time. */
function sizes(count: number): number[] {
  const edges = [4, 5, 6, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 3_000_000];
  const random = randomFrom(20_240_601);
  return Array.from({ length: count }, (_, index) => edges[index] ?? 4 + random(3_000_000));
}

function run({ title, uploads, atOnce, settings, isBounded }: Series): Promise<Outcome> {
  return withUploadingGateway(settings, async ({ url, pid, payment, temporaryFiles }) => {
    await uploadAndCompare(url, { ...declared(1_000), payment });
    const idleMiB = residentMiB(pid, 'VmRSS');
    const seen = new Set<string>();
    const sampling = setInterval(() => {
      for (const path of temporaryFiles()) seen.add(path);
    }, sampleMs);
    const failures: string[] = [];
    const waiting = [...uploads];
    const work = async () => {
      for (let upload = waiting.shift(); upload; upload = waiting.shift()) {
        await uploadAndCompare(url, { ...upload, payment }).catch((error) => failures.push(String(error)));
      }
    };
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: atOnce }, work));
    const seconds = (performance.now() - startedAt) / 1_000;
    clearInterval(sampling);
    const peakMiB = residentMiB(pid, 'VmHWM');
    const isWithinBounds = !isBounded || (peakMiB - idleMiB <= bound && seen.size === 0);
    return {
      series: title,
      uploads: uploads.length,
      megabytes: uploads.reduce((total, { bytes }) => total + bytes, 0) / 1e6,
      seconds,
      idleMiB,
      peakMiB,
      temporaryFiles: seen.size,
      failures,
      isGood: failures.length === 0 && temporaryFiles().length === 0 && isWithinBounds,
    };
  });
}

function conclude(): void {
  const rows = outcomes.map((each) => [
    each.series,
    String(each.uploads - each.failures.length),
    each.megabytes.toFixed(0),
    each.seconds.toFixed(1),
    each.idleMiB.toFixed(0),
    each.peakMiB.toFixed(0),
    (each.peakMiB - each.idleMiB).toFixed(0),
    String(each.temporaryFiles),
    each.isGood ? 'yes' : 'NO',
  ]);
  const headings = [
    'uploads',
    'stored with equal SHA-256',
    'MB',
    's',
    'idle RSS, MiB',
    'peak',
    'growth',
    'temporary files',
    'good',
  ];
  const title = `Uploads through the gateway into the sandbox. The first two may grow by ${bound} MiB and take no temporary file.`;
  const report = `${title}\n\n${table(headings, rows)}`;
  console.log(report);
  for (const { failures } of outcomes) for (const failure of failures.slice(0, 5)) console.error(failure);
  if (outcomes.some(({ isGood }) => !isGood)) process.exitCode = 1;
  if (options.series === all) writeResults('uploads', { bound, outcomes }, { report });
}
