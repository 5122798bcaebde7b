import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { usage as runUsage } from '../../../src/commands/usage.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { startGateway } from '../../../test/support/harness.ts';
import { scrape } from '../../../test/support/scrape.ts';

const folder = mkdtempSync(join(tmpdir(), 'usage-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** Runs `npm run usage -- …`, and returns its output and exit code. */
async function usage(...args: string[]) {
  const printed = { log: '', error: '' };
  const code = await runUsage(args, {
    log: (text) => {
      printed.log += text;
    },
    error: (text) => {
      printed.error += text;
    },
  });
  return { code, ...printed };
}

const schema = write(
  'schema.graphql',
  `type Query { farmer(name: String @deprecated(reason: "Use ` +
    '`id`' +
    `. May be removed after 2026-06-30."), id: ID): Farmer }
  type Farmer {
    id: ID
    number: String @deprecated(reason: "Use ` +
    '`id`' +
    `. May be removed after 2026-06-30.")
    late: String @deprecated(reason: "Use ` +
    '`id`' +
    `. May be removed after 2999-12-31.")
  }`,
);
const daysAgo = (days: number) => Math.floor(Date.now() / 1000) - days * 24 * 60 * 60;

interface Counts {
  /** Days since the gateway has started. */
  begin: number;
  /** Days since the last use of `Farmer.number`. */
  lastUse?: number;
}

function metrics(name: string, { begin, lastUse }: Counts): string {
  const lines = ['Query.farmer(name:)', 'Farmer.number', 'Farmer.late'].map(
    (element) => `gateway_element_counted_since_timestamp_seconds{element="${element}"} ${daysAgo(begin)}`,
  );
  const labels = '{element="Farmer.number",client="old app",document="doc-1"}';
  if (lastUse !== undefined) {
    lines.push(`gateway_element_uses_total${labels} 12`);
    lines.push(`gateway_element_last_used_timestamp_seconds${labels} ${daysAgo(lastUse)}`);
  }
  return write(name, `${lines.join('\n')}\n`);
}

const reasonsOf = (log: string) =>
  Object.fromEntries(
    JSON.parse(log).elements.map(({ element, reasons }: Record<string, string>) => [element, reasons]),
  );

test('counts what any line of a long push uses', async () => {
  await using gateway = await startGateway({ settings: { 'graphql.countedElements': 'all' } });
  const farmer = (at: number) => ({
    key: `${at}`,
    write: { createFarmer: { first_name: 'a', ...(at === 0 && { last_name: 'b' }) } },
  });
  const body = Array.from({ length: 101 }, (_, at) => JSON.stringify(farmer(at))).join('\n');
  await (await gateway.send({ path: '/push', headers: { 'content-type': 'application/jsonl' }, body })).text();
  const usesOf = async () => {
    const uses = await scrape(gateway.url, 'gateway_element_uses_total');
    return Object.fromEntries(uses.map(({ labels: { element }, value }) => [element, value]));
  };

  await expect.poll(usesOf).toMatchObject({ 'CreateFarmerInput.last_name': 1, 'CreateFarmerInput.first_name': 2 });
});

test('names the clients of a running gateway and the documents of apps', async () => {
  await using gateway = await startGateway();
  const premiums = 'query Catalog { products(limit: 1) { results { premiums } } }';
  await gateway.query(premiums, {}, { headers: { 'graphql-client-name': 'web' } });
  const apps = join(write('apps/web/manifest.json', JSON.stringify({ abc: premiums })), '../..');
  write('apps/ios/fields.graphql', 'fragment Fields on Product { is_active }');
  write('apps/ios/query.graphql', 'query Ios { products { results { ...Fields } } }');
  const url = new URL('/metrics', gateway.url).href;

  const { code, log } = await usage(
    '--element',
    'Product.premiums',
    '--element',
    'Product.is_active',
    '--json',
    apps,
    url,
  );

  const today = new Date().toISOString().slice(0, 10);
  const since = expect.stringMatching(
    `${url} has counts of Product\\.\\w+ since ${today}T.*Z alone: 30 days are needed.`,
  );
  expect(code).toBe(1);
  expect(reasonsOf(log)).toEqual({
    'Product.premiums': [
      'The day 2027-06-30 has not passed.',
      `The document Catalog in ${apps}/web/manifest.json names Product.premiums.`,
      expect.stringMatching(`The client web used Product.premiums at ${today}T`),
      since,
    ],
    'Product.is_active': [
      'The day 2027-06-30 has not passed.',
      `The document Ios in ${apps}/ios/query.graphql names Product.is_active.`,
      since,
    ],
  });
});

describe('an element', () => {
  const clean = write('clean.graphql', '{ farmer(id: 1) { id } }');

  test('may go after its day, when nothing has used it for 30 days', async () => {
    const counts = metrics('quiet.txt', { begin: 40, lastUse: 31 });
    const { code, log } = await usage('--schema', schema, '--element', 'Farmer.number', clean, counts);
    expect(code).toBe(0);
    expect(log).toContain('Farmer.number may go\n');
    expect(log).toMatch(/Used 12 times by old app, trusted document doc-1, last at .*Z$/m);
  });

  test('is judged by the last use and the latest start, where one text has several gateways', async () => {
    const all = [
      { begin: 50, lastUse: 20 },
      { begin: 40, lastUse: 35 },
    ].map((counts) => metrics('one.txt', counts) && readFileSync(join(folder, 'one.txt'), 'utf8'));
    for (const text of [all.join(''), all.toReversed().join('')]) {
      const { code, log } = await usage(
        '--schema',
        schema,
        '--element',
        'Farmer.number',
        '--json',
        write('all.txt', text),
      );
      const [{ uses, countedSince }] = JSON.parse(log).elements;
      expect({ code, uses }).toEqual({ code: 1, uses: [expect.objectContaining({ count: 24 })] });
      expect(Date.parse(uses[0].lastUsed) / 1000).toBeCloseTo(daysAgo(20), -2);
      expect(Date.parse(countedSince) / 1000).toBeCloseTo(daysAgo(40), -2);
    }
  });

  test.each<[string, Counts, RegExp]>([
    [
      'a client has used it',
      { begin: 40, lastUse: 29 },
      /The client old app used Farmer.number at .* in the trusted document doc-1/,
    ],
    ['the gateway is young', { begin: 29 }, /has counts of Farmer.number since .* alone: 30 days are needed/],
  ])('may not go if %s', async (_what, counts, reason) => {
    const { code, log } = await usage('--schema', schema, '--element', 'Farmer.number', metrics('counts.txt', counts));
    expect({ code, log }).toEqual({ code: 1, log: expect.stringMatching(reason) });
  });

  test.each([
    ['no gateway was asked', 'Farmer.number', [clean], 'No running gateway was asked'],
    [
      'it is not deprecated',
      'Farmer.id',
      [metrics('long.txt', { begin: 40 })],
      'The schema does not deprecate Farmer.id.',
    ],
    [
      'its day has not passed',
      'Farmer.late',
      [metrics('long.txt', { begin: 40 })],
      'The day 2999-12-31 has not passed.',
    ],
    [
      'a gateway does not know its deprecation',
      'Farmer.number',
      [
        metrics('long.txt', { begin: 40 }),
        write('other.txt', 'gateway_element_counted_since_timestamp_seconds{element="A.b"} 1\n'),
      ],
      'other.txt has no counts of Farmer.number.',
    ],
  ])('may not go if %s', async (_what, element, sources, reason) => {
    const { code, log } = await usage('--schema', schema, '--element', element, ...sources);
    expect({ code, log }).toEqual({ code: 1, log: expect.stringContaining(`- ${reason}`.replace('- other', 'other')) });
  });

  test('that is deprecated fails the command only after its day', async () => {
    const counts = metrics('long.txt', { begin: 40 });
    const all = await usage('--schema', schema, '--json', counts);
    expect(all.code).toBe(0);
    expect(reasonsOf(all.log)).toEqual({
      'Query.farmer(name:)': [],
      'Farmer.number': [],
      'Farmer.late': ['The day 2999-12-31 has not passed.'],
    });
    const user = write('user.graphql', 'query Old($name: String) { farmer(name: $name) { id } }');
    expect(await usage('--schema', schema, user, counts)).toMatchObject({ code: 1 });
  });
});

test('writes evidence for what may go, beside what is there', async () => {
  const file = write('removals.json', '[{ "element": "A.b" }, { "element": "Farmer.number", "uses": 3 }]');
  const counts = metrics('long.txt', { begin: 40 });
  const { code } = await usage('--schema', schema, '--evidence', file, counts);
  expect(code).toBe(0);
  const entry = {
    day: '2026-06-30',
    observed: { from: expect.stringMatching(/^\d{4}-.*Z$/), to: expect.stringMatching(/^\d{4}-.*Z$/) },
    sources: [counts],
    uses: 0,
  };
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([
    { element: 'A.b' },
    { element: 'Farmer.number', ...entry },
    { element: 'Query.farmer(name:)', ...entry },
  ]);
});

test('reads the metrics from the standard input', async () => {
  const counts = metrics('long.txt', { begin: 40 });
  const run = promisify(execFile)(process.execPath, ['src/commands/usage.ts', '--schema', schema, '-']);
  run.child.stdin?.end(readFileSync(counts));
  expect((await run).stdout).toContain('Farmer.number may go\n');
});

test.each([
  [
    'an element that the schema lacks',
    ['--element', 'Farmer.x', '--schema', schema, 'CLEAN'],
    'Farmer.x: The schema has no such element.',
  ],
  ['metrics of something else', ['METRICS'], 'There is no metric gateway_element_counted_since_timestamp_seconds.'],
  ['a document that does not fit', ['BAD'], 'Cannot query field "nothing" on type "Query".'],
  ['an address where nothing listens', ['--prometheus', 'http://127.0.0.1:1'], 'http://127.0.0.1:1: '],
])('fails for %s', async (_what, args, message) => {
  const files: Record<string, string> = {
    CLEAN: write('clean.graphql', '{ farmer(id: 1) { id } }'),
    METRICS: write('others.txt', 'up 1\n'),
    BAD: write('bad.graphql', '{ nothing }'),
  };
  const { code, error } = await usage(...args.map((arg) => files[arg] ?? arg));
  expect({ code, error }).toEqual({ code: 2, error: expect.stringContaining(message) });
});

const hasPrometheus = (() => {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' });
    execFileSync('prometheus', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test.skipIf(!hasPrometheus)('asks Prometheus about gateways that have ended', async () => {
  const counted = (element: string, instance: string, days: number, since: number) =>
    `gateway_element_counted_since_timestamp_seconds{element="${element}",instance="${instance}"} ${daysAgo(since)} ${daysAgo(days)}`;
  const lastUsed = (element: string, days: number) =>
    `gateway_element_last_used_timestamp_seconds{element="${element}",client="app",document="none",instance="a"} ${daysAgo(days)} ${daysAgo(days)}`;
  const uses = (element: string, days: number) =>
    `gateway_element_uses_total{element="${element}",client="app",document="none",instance="a"} 7 ${daysAgo(days)}`;
  const text = write(
    'history.txt',
    [
      '# TYPE gateway_element_counted_since_timestamp_seconds gauge',
      counted('Farmer.number', 'a', 40, 41),
      counted('Farmer.number', 'b', 1, 2),
      counted('Query.farmer(name:)', 'a', 20, 50),
      '# TYPE gateway_element_last_used_timestamp_seconds gauge',
      lastUsed('Farmer.number', 35),
      lastUsed('Query.farmer(name:)', 10),
      '# TYPE gateway_element_uses counter',
      uses('Farmer.number', 35),
      uses('Query.farmer(name:)', 10),
      '# EOF\n',
    ].join('\n'),
  );
  const data = join(folder, 'prometheus');
  execFileSync('promtool', ['tsdb', 'create-blocks-from', 'openmetrics', text, data], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${await freePort()}`;
  const config = write('prometheus.yml', 'scrape_configs: []\n');
  const server = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${data}`,
      '--storage.tsdb.retention.time=90d',
      `--web.listen-address=${new URL(url).host}`,
    ],
    { stdio: 'ignore' },
  );
  try {
    const isReady = () =>
      fetch(`${url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(isReady).toBe(true);
    const { code, log } = await usage('--schema', schema, '--prometheus', url, '--json');
    expect(code).toBe(1);
    expect(reasonsOf(log)).toMatchObject({
      'Farmer.number': [],
      'Query.farmer(name:)': [
        expect.stringContaining('The client app used Query.farmer(name:) at '),
        expect.stringMatching(/has counts of Query.farmer\(name:\) since .* alone: 30 days are needed/),
      ],
      'Farmer.late': ['The day 2999-12-31 has not passed.', `${url}/ has no counts of Farmer.late.`],
    });
    expect(JSON.parse(log).elements[1].uses).toMatchObject([{ client: 'app', count: 7 }]);
  } finally {
    server.kill('SIGKILL');
  }
});
