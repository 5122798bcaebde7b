import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { costReport as runCostReport } from '../../../src/commands/cost-report.ts';
import { blocks } from '../../../test/docs/pages.ts';
import { coldCost, readGoldenFile } from '../../../test/support/golden-calls.ts';
import { startGateway } from '../../../test/support/harness.ts';
import type { ReportedOperation } from '../cost-report.ts';
import type { CostReport } from '../formats.ts';

const folder = mkdtempSync(join(tmpdir(), 'cost-report-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string | object): string {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** Runs `npm run bill -- …`, and returns its output and exit code. */
async function report(...args: string[]): Promise<{ code: number; log: string; error: string }> {
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
  const { code, log, error } = await report(...args, '--format', 'json');
  expect(error).toBe('');
  expect(code).toBe(0);
  return (JSON.parse(log) as CostReport).operations;
};

test('the cost report gives golden operations the calls and waves of test/golden-calls.md', async () => {
  const sections = readGoldenFile()
    .filter(({ given, key }) => given.length === 0 && key === 'demo-coop')
    .filter((_, n) => n % 8 === 0);
  const items = await itemsOf(
    write('golden.json', Object.fromEntries(sections.map(({ document }, n) => [n, document]))),
  );
  const measured = sections.map((section) => ({ title: section.title, ...coldCost(section, 'real') }));
  expect(items.map(({ usual: { calls, waves } }, n) => ({ title: sections[n]!.title, calls, waves }))).toEqual(
    measured,
  );
});

test('the cost report reads the documents and manifests of a folder', async () => {
  write('many/home.graphql', 'query Home { me { first_name } }');
  write('many/below/list.json', { list: 'query List { farmers { count } }' });

  expect((await itemsOf(join(folder, 'many'))).map(({ name }) => name)).toEqual(['List', 'Home']);
});

test('the cost report measures the user and the company of the token', async () => {
  const [home] = await itemsOf(write('home.graphql', 'query Home { me { first_name } activeCompany { name } }'));

  expect(home).toMatchObject({ errors: [], usual: { calls: 2, waves: 1 } });
});

test('the cost report measures each screen of docs/lists-and-sync.md in one request, in the dialect connect', async () => {
  const screens = blocks('graphql').filter(
    ({ page, text }) => page === 'docs/lists-and-sync.md' && /^query (Home|FarmerScreen)\b/.test(text),
  );
  const file = write('screens.graphql', screens.map(({ text }) => text).join('\n'));

  const items = await itemsOf('--dialect', 'connect', '--max', '40', file);

  expect(items.map(({ name, errors }) => ({ name, errors }))).toEqual([
    { name: 'Home', errors: [] },
    { name: 'FarmerScreen', errors: [] },
  ]);
  expect(items[1]?.usual).toMatchObject({ calls: 5, rows: 17 });
  const [home] = await itemsOf(file);
  expect(home?.errors).toEqual(['BAD_USER_INPUT']);
  expect(await report('--dialect', 'other', file)).toMatchObject({ code: 2, error: '--dialect is spec or connect.' });
});

const screen = `query Farmers($first: Int = 20) { farmers(first: $first) { results { ...Name buyer { ...Owner } } } }
  mutation Buy($input: CreateProductTransactionInput!) { createProductTransaction(input: $input) { number product { name } } }
  mutation Attach($payment: ID!, $file: Upload!) { uploadInvoice(payment_transaction: $payment, invoice: $file) { invoice } }
  fragment Name on Farmer { name }`;
const shared = 'fragment Owner on Company { name }';

test('the cost report joins fragments of all files, and fills in sample variables', async () => {
  write('app/screen.graphql', screen);
  write('app/shared/owner.graphql', shared);

  const { code, log, error } = await report(join(folder, 'app/**/*.graphql'), '--format', 'markdown');

  expect({ code, error }).toEqual({ code: 0, error: '' });
  expect(log.split('\n')).toEqual([
    '| operation | calls | waves | rows | service ms | ms |  |',
    '|---|--:|--:|--:|--:|--:|---|',
    '| Farmers | 2 | 2 | 21 | 250 | 250 |  |',
    expect.stringMatching(/^\| Buy \| 2 \| 2 \| \d+ \| \d+ \| \d+ \| {2}\|$/),
    '| Attach | 1 | 1 | 1 | 30 | 30 |  |',
  ]);
});

test('the cost report reads manifests of Apollo, and manifests of hashes and texts', async () => {
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

test('the cost report fails beyond --max, and shows growth with --against', async () => {
  const before = write('before.graphql', 'query Screen { farmers(limit: 20) { results { name } } }');
  const after = write(
    'after.graphql',
    'query Screen { farmers(limit: 20) { results { name buyer { name } } } } query New { cards { count } }',
  );
  const against = write('main.json', (await report(before, '--format', 'json')).log);

  const grown = await report(after, '--against', against, '--max', '1');

  expect(grown.log).toMatch(/^Screen +1 → 2 +1 → 2 +20 → 21 +150 → 250 +150 → 250$/m);
  expect(grown.log).toMatch(/^New +1 +.* new$/m);
  expect(grown).toMatchObject({ code: 1, error: `Screen in ${after}: 2 calls; --max allows 1.` });
  expect(await report(after, '--max', '2')).toMatchObject({ code: 0, error: '' });
});

test('the cost report fails where the service works longer than --max-ms', async () => {
  const file = write('service-time.graphql', 'query Buyers { farmers(limit: 20) { results { buyer { name } } } }');
  expect(await report(file, '--max-ms', '250')).toMatchObject({ code: 0, error: '' });
  expect(await report(file, '--max-ms', '249')).toMatchObject({
    code: 1,
    error: `Buyers in ${file}: 250 service ms; --max-ms allows 249.`,
  });
});

const ownerAndCreators = '{ farmers(limit: 5) { results { buyer { name } creator { email } } } }';

test('the cost report takes the costs of a running gateway from its metrics', async () => {
  const [prior] = await itemsOf(write('owners.graphql', ownerAndCreators));
  // A page of 5 rows takes 60 ms. A company takes 100 ms, and three users 25 ms each.
  expect(prior!.usual).toMatchObject({ calls: 5, waves: 2, workMs: 235, ms: 160 });

  const metrics = write(
    'metrics.txt',
    `# TYPE gateway_upstream_cost_call_seconds gauge
gateway_upstream_cost_call_seconds{endpoint="listFarmers"} 0.01
gateway_upstream_cost_call_seconds{endpoint="getUser"} 0.2
gateway_upstream_cost_row_seconds{endpoint="listFarmers"} 2e-3
gateway_upstream_parallelism 1`,
  );
  const [learnt] = await itemsOf(join(folder, 'owners.graphql'), '--costs', metrics);
  expect(learnt!.usual).toMatchObject({ calls: 5, waves: 2, workMs: 720, ms: 720 });
});

test('the cost report reads the metrics of a gateway by their URL', async () => {
  await using gateway = await startGateway();
  const url = new URL('/metrics', gateway.url).href;
  const [flat] = await itemsOf(write('flat.graphql', ownerAndCreators), '--costs', url);
  expect(flat!.usual).toMatchObject({ calls: 5, waves: 2, workMs: 250, ms: 100 });
});

test('the cost report takes --variables, and names the errors of a run', async () => {
  const file = write('farmer.graphql', 'query One($id: ID!) { farmer(id: $id) { name creator { email } } }');
  expect(await itemsOf(file)).toMatchObject([{ usual: { calls: 2 }, errors: [] }]);
  const variables = write('variables.json', { One: { id: 'nobody' } });
  expect(await itemsOf(file, '--variables', variables)).toMatchObject([{ usual: { calls: 1 }, errors: ['NOT_FOUND'] }]);
});

test.each([
  ['a pattern without files', ['nothing/*.graphql'], 'There is no file or folder nothing/*.graphql.'],
  ['a folder without documents', ['docs/images'], 'docs/images: The folder has no .graphql, .gql or .json file.'],
  ['a syntax error', [write('broken.graphql', '{\n farmers {\n }')], 'broken.graphql:3: Syntax Error'],
  ['a document of another schema', [write('other.graphql', '{ pets }')], 'other.graphql: Cannot query field "pets"'],
  ['JSON that is no manifest', [write('package.json', { name: 1 })], 'package.json: This is no manifest'],
  ['an unknown format', ['--format', 'pdf', 'a'], '--format is one of table, markdown, json.'],
  ['a --max that is no number', ['--max', 'many', 'a'], '--max is a number.'],
  [
    '--costs without metrics',
    ['--costs', write('empty.txt', ''), 'a'],
    'empty.txt: There is no metric gateway_upstream_cost_call_seconds.',
  ],
  [
    '--costs of a gateway that does not answer',
    ['--costs', 'http://127.0.0.1:9/metrics', 'a'],
    'http://127.0.0.1:9/metrics: ',
  ],
])('the cost report refuses %s', async (_reason, args, message) => {
  expect(await report(...args)).toMatchObject({ code: 2, log: '', error: expect.stringContaining(message) });
});

test('no example of GraphiQL makes more than 25 calls', async () => {
  const items = await itemsOf(join(import.meta.dirname, '../../graphiql/examples/*.graphql'));
  expect(items.length).toBeGreaterThan(15);
  for (const { name, usual } of items) expect(usual.calls, name).toBeLessThanOrEqual(25);
});
