import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { stringify } from 'csv-stringify/sync';
import { checkRows } from './check.ts';
import { readKnown } from './known-farmers.ts';
import { type Row, readRows } from './rows.ts';
import { writeRows } from './write-rows.ts';

const usage = `Creates farmers from a spreadsheet.

  node import.ts farmers.csv [options]

  --url URL    the gateway; http://127.0.0.1:4000/graphql by default
  --key KEY    the API key; that of the variable KEY by default
  --check      shows what it would do, and writes nothing
  --yes        does not ask

  farmers.failed.csv gets the rows that are not written, with the reason`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:4000/graphql' },
    key: { type: 'string', default: process.env.KEY ?? '' },
    check: { type: 'boolean', default: false },
    yes: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [file] = positionals;
if (values.help || !file) {
  console.log(usage);
  process.exit(values.help ? 0 : 2);
}

/** Warnings that are shown. */
const maxWarnings = 20;

/** The bar on the screen. */
let drawn = '';

try {
  await run(file, { url: values.url, key: values.key });
} catch (error) {
  const { message, cause } = error as Error & { cause?: { code?: string; message: string } };
  const reason = cause?.code ?? cause?.message;
  console.error(reason ? `No answer comes from ${values.url} (${reason}): is the gateway running?` : message);
  process.exitCode = 1;
}

async function run(name: string, gateway: { url: string; key: string }): Promise<void> {
  const { columns, rows } = await readRows(name, gateway);
  const known = await readKnown(gateway);
  const warnings = await checkRows(rows, known, gateway, (checked, all) => draw('Checked', checked, all));
  done();
  const right = rows.filter(({ reason, isThere }) => reason === undefined && !isThere);
  const there = rows.filter(({ isThere }) => isThere).length;
  for (const warning of warnings.slice(0, maxWarnings)) console.log(warning);
  if (warnings.length > maxWarnings) console.log(`… and ${warnings.length - maxWarnings} more.`);
  console.log(
    `${rows.length} rows: ${right.length} to create, ${there} there already, ${rows.length - right.length - there} not.`,
  );
  if (!values.check && right.length > 0 && (values.yes || (await confirm()))) {
    await writeRows(right, gateway, (written) => draw('Written', written, right.length)).finally(done);
    console.log(`${right.filter(({ reason }) => reason === undefined).length} farmers are created.`);
  }
  const failed = rows.filter(({ reason }) => reason !== undefined);
  if (failed.length > 0) writeFailed(name.replace(/(\.\w+)?$/, '.failed.csv'), columns, failed);
}

async function confirm(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('Create them? [y/N] ');
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

function draw(word: string, rows: number, total: number): void {
  const bar = `${word} [${'#'.repeat(Math.floor((30 * rows) / Math.max(1, total))).padEnd(30)}]`;
  if (bar !== drawn || rows === total) process.stderr.write(`\r${bar} ${rows} of ${total} rows`);
  drawn = bar;
}

function done(): void {
  process.stderr.write('\n');
}

/** The corrected file can be imported as it is. */
function writeFailed(name: string, columns: readonly string[], rows: readonly Row[]): void {
  const records = rows.map(({ number, cells, reason }) => ({ ...cells, row: number, reason }));
  writeFileSync(name, stringify(records, { header: true, bom: true, columns: [...columns, 'row', 'reason'] }));
  console.log(`${rows.length} rows are not written: see ${name}`);
}
