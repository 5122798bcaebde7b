import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCostReport } from '../../src/cost-report/command.ts';
import type { ReportedOperation } from '../../src/cost-report/cost-report.ts';
import type { CostReport } from '../../src/cost-report/formats.ts';
import { readGoldenFile } from '../support/golden-calls.ts';

const folder = mkdtempSync(join(tmpdir(), 'bill-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string | object): string {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** What `npm run bill -- …` prints, and how it exits. */
async function bill(...args: string[]): Promise<{ code: number; log: string; error: string }> {
  const printed = { log: '', error: '' };
  const code = await runCostReport(args, {
    log: (text) => {
      printed.log += text;
    },
    error: (text) => {
      printed.error += text;
    },
  });
  return { code, ...printed };
}
const itemsOf = async (...args: string[]): Promise<ReportedOperation[]> => {
  const { code, log, error } = await bill(...args, '--format', 'json');
  expect(error).toBe('');
  expect(code).toBe(0);
  return (JSON.parse(log) as CostReport).operations;
};

test('golden operations are as dear as they are measured to be', async () => {
  const sections = readGoldenFile()
    .filter(({ given, key }) => given.length === 0 && key === 'demo-coop')
    .filter((_, n) => n % 8 === 0);
  const items = await itemsOf(
    write('golden.json', Object.fromEntries(sections.map(({ document }, n) => [n, document]))),
  );
  const measured = sections.map(({ title, cost }) => {
    const [, calls = 0, waves = 0] = /^cold: (\d+) calls? in (\d+) waves?/.exec(cost) ?? [];
    return { title, calls: Number(calls), waves: Number(waves) };
  });
  expect(items.map(({ usual: { calls, waves } }, n) => ({ title: sections[n]!.title, calls, waves }))).toEqual(
    measured,
  );
});

const screen = `query Farmers($first: Int = 20) { farmers(first: $first) { results { ...Name buyer { ...Owner } } } }
  mutation Buy($input: CreateProductTransactionInput!) { createProductTransaction(input: $input) { number product { name } } }
  mutation Attach($payment: ID!, $file: Upload!) { uploadInvoice(payment_transaction: $payment, invoice: $file) { invoice } }
  fragment Name on Farmer { name }`;
const shared = 'fragment Owner on Company { name }';

test('every operation of many files has its figures, with fragments of other files and sample variables', async () => {
  write('app/screen.graphql', screen);
  write('app/shared/owner.graphql', shared);

  const { code, log, error } = await bill(join(folder, 'app/**/*.graphql'), '--format', 'markdown');

  expect({ code, error }).toEqual({ code: 0, error: '' });
  expect(log.split('\n')).toEqual([
    '| operation | calls | waves | rows | calls at most | waves at most | rows at most |  |',
    '|---|--:|--:|--:|--:|--:|--:|---|',
    '| Farmers | 2 | 2 | 21 | 1010 | 3 | 2000 |  |',
    expect.stringMatching(/^\| Buy \| 2 \| 2 \| \d+ \| 12 \| 6 \| 1002 \| {2}\|$/),
    '| Attach | 1 | 1 | 1 | 2 | 2 | 2 |  |',
  ]);
});

test('a manifest may be that of Apollo, or one of hashes and texts', async () => {
  const body = 'query Named { farmers { count } }';
  const apollo = {
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: [{ id: 'a', name: 'Named', body }],
  };
  const [one] = await itemsOf(write('apollo.json', apollo));
  const [other] = await itemsOf(write('relay.json', { '0abc': body }));
  expect(one).toMatchObject({ name: 'Named', usual: { calls: 1, rows: 1, waves: 1 } });
  expect({ ...other, file: '' }).toEqual({ ...one, file: '' });
});

test('what is too dear fails, and what has grown is shown', async () => {
  const before = write('before.graphql', 'query Screen { farmers(limit: 20) { results { name } } }');
  const after = write(
    'after.graphql',
    'query Screen { farmers(limit: 20) { results { name buyer { name } } } } query New { cards { count } }',
  );
  const against = write('main.json', (await bill(before, '--format', 'json')).log);

  const grown = await bill(after, '--against', against, '--max', '1');

  expect(grown.log).toMatch(/^Screen +1 → 2 +1 → 2 +20 → 21 +1 → 21 +1 → 2 +20 → 40$/m);
  expect(grown.log).toMatch(/^New +1 +.* new$/m);
  expect(grown).toMatchObject({ code: 1, error: expect.stringContaining('Screen in ') });
  expect(await bill(after, '--max', '2')).toMatchObject({ code: 0, error: '' });
  expect(await bill(after, '--max-worst', '20')).toMatchObject({ code: 1 });
});

test('variables may be given, and errors of a trial are said', async () => {
  const file = write('farmer.graphql', 'query One($id: ID!) { farmer(id: $id) { name creator { email } } }');
  expect(await itemsOf(file)).toMatchObject([{ usual: { calls: 2 }, errors: [] }]);
  const variables = write('variables.json', { One: { id: 'nobody' } });
  expect(await itemsOf(file, '--variables', variables)).toMatchObject([{ usual: { calls: 1 }, errors: ['NOT_FOUND'] }]);
});

test.each([
  ['no file', ['nothing/*.graphql'], 'There is no file nothing/*.graphql.'],
  ['no GraphQL', [write('broken.graphql', '{\n farmers {\n }')], 'broken.graphql:3: Syntax Error'],
  ['another schema', [write('other.graphql', '{ pets }')], 'other.graphql: Cannot query field "pets"'],
  ['no manifest', [write('package.json', { name: 1 })], 'package.json: This is no manifest'],
  ['no such format', ['--format', 'pdf', 'a'], '--format is one of table, markdown, json.'],
  ['no number', ['--max', 'many', 'a'], '--max is a number.'],
])('%s is said, and there is no bill', async (_what, args, message) => {
  expect(await bill(...args)).toMatchObject({ code: 2, log: '', error: expect.stringContaining(message) });
});

test('the examples of GraphiQL cost little', async () => {
  const items = await itemsOf(join(import.meta.dirname, '../../src/graphiql/examples/*.graphql'));
  expect(items.length).toBeGreaterThan(15);
  for (const { name, usual } of items) expect(usual.calls, name).toBeLessThanOrEqual(20);
});
