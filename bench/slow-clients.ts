/**
 * Slow clients: a thousand of each kind at once. The gateway must cut each off within its limit and 2 s more, with 408
 * where an answer is possible. Meanwhile it must answer other clients as ever.
 *
 *     node slow-clients.ts [--count 1000]
 *
 * The limits are shorter than the defaults, so that it takes a minute. Fails where a client stays too long or gets another
 * answer, or where another client gets none.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { residentMiB } from './lib/process-tree.ts';
import { writeResults } from './lib/results.ts';
import { ask } from './lib/running.ts';
import { type Ending, type SlowKind, slowClient, slowKinds } from './lib/slow-clients.ts';
import { quantile } from './lib/statistics.ts';
import { table } from './lib/tables.ts';
import { withUploadingGateway } from './lib/uploading.ts';

const { values: options } = parseArgs({ options: { count: { type: 'string', default: '1000' } } });
const count = Number(options.count);
/** Milliseconds that a client may stay beyond its limit. */
const grace = 2_000;
const settings = {
  'limits.clients.headersTimeoutMs': '4000',
  'limits.clients.bodyTimeoutMs': '5000',
  'limits.uploads.idleTimeoutMs': '5000',
  'limits.clients.responseTimeoutMs': '6000',
  'limits.uploads.timeoutMs': '8000',
  'limits.uploads.running': String(count),
};
interface Expected {
  limit: keyof typeof settings;
  status: number;
  /** The share of the count; the system uses megabytes for each client that does not read. */
  share?: number;
}
const expected: Record<SlowKind, Expected> = {
  silent: { limit: 'limits.clients.headersTimeoutMs', status: 408 },
  'slow headers': { limit: 'limits.clients.headersTimeoutMs', status: 408 },
  'slow body': { limit: 'limits.clients.bodyTimeoutMs', status: 408 },
  'unread answer': { limit: 'limits.clients.responseTimeoutMs', status: 200, share: 0.02 },
  'trickling upload': { limit: 'limits.uploads.timeoutMs', status: 408 },
};

interface Row {
  kind: SlowKind;
  clients: number;
  limit: number;
  endings: Ending[];
  /** Other clients meanwhile. */
  others: { asked: number; answered: number; slowestMs: number };
  rssMiB: number;
}

const rows = await withUploadingGateway(settings, async ({ url, pid, payment }) => {
  const measured: Row[] = [];
  for (const kind of slowKinds) {
    const { limit, share = 1 } = expected[kind];
    const clients = Math.ceil(share * count);
    const others = askOften(url);
    const slow = Array.from({ length: clients }, () => slowClient(kind, { url, payment, pace: 1_000 }));
    await sleep(Number(settings[limit]) / 2);
    const rssMiB = residentMiB(pid, 'VmRSS');
    const endings = await Promise.all(slow);
    measured.push({ kind, clients, limit: Number(settings[limit]), endings, others: await others.stop(), rssMiB });
    console.error(`${kind} is done.`);
  }
  return measured;
});
conclude();

/** Somebody who does nothing wrong, and asks ten times a second. */
function askOften(url: string): { stop(): Promise<Row['others']> } {
  const seen = { asked: 0, answered: 0, slowestMs: 0 };
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const startedAt = performance.now();
      seen.asked++;
      const answer = await ask(url, '{ farmers(limit: 1) { results { id } } }', 'demo-coop').catch(() => undefined);
      if (answer?.status === 200 && !answer.body.errors) seen.answered++;
      seen.slowestMs = Math.max(seen.slowestMs, performance.now() - startedAt);
      await sleep(100);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await asking;
      return seen;
    },
  };
}

function isMet({ kind, limit, endings, others }: Row): boolean {
  const isInTime = endings.every(({ ms }) => ms <= limit + grace);
  return (
    isInTime && endings.every(({ status }) => status === expected[kind].status) && others.answered === others.asked
  );
}

function conclude(): void {
  const cells = rows.map((row) => {
    const times = row.endings.map(({ ms }) => ms).sort((a, b) => a - b);
    const answers = Object.entries(Object.groupBy(row.endings, ({ status }) => status ?? 'none'));
    return [
      row.kind,
      String(row.clients),
      (row.limit / 1_000).toFixed(0),
      (times[0]! / 1_000).toFixed(1),
      (quantile(times, 1) / 1_000).toFixed(1),
      answers.map(([status, those]) => `${status}: ${those?.length}`).join(', '),
      `${row.others.answered} of ${row.others.asked}`,
      row.others.slowestMs.toFixed(0),
      row.rssMiB.toFixed(0),
      isMet(row) ? 'met' : 'missed',
    ];
  });
  const report = table(
    [
      'clients',
      'count',
      'limit, s',
      'first end, s',
      'last end, s',
      'answers',
      'others answered',
      'slowest, ms',
      'RSS MiB',
      'verdict',
    ],
    cells,
  );
  console.log(report);
  if (!rows.every(isMet)) process.exitCode = 1;
  if (options.count !== '1000') return;
  const figures = rows.map(({ endings, ...row }) => ({ ...row, lastEndMs: Math.max(...endings.map(({ ms }) => ms)) }));
  writeResults('slow-clients', { settings, rows: figures }, { report });
}
