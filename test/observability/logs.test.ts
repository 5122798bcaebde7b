import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccessLogger, createLogger } from '../../packages/graphql-serve/watch/logger.ts';
import { type Gateway, startFakedGateway, startGateway } from '../support/harness.ts';
import { serve } from '../support/own-process.ts';
import { knownIds } from '../support/rest.ts';
import { paths } from '../support/rest-reads.ts';

const lines: Record<string, unknown>[] = [];
const output = { write: (line: string) => void lines.push(JSON.parse(line)) };
const logger = createLogger({ level: 'info' }, output, 'authorization');

describe('each operation has a log line', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({ accessLogger: logger });
  });
  afterAll(() => gateway.close());

  /** The line of the next operation, without what differs every time. */
  async function lineOf(work: () => Promise<unknown>): Promise<Record<string, unknown>> {
    lines.length = 0;
    await work();
    await expect.poll(() => lines.length).toBe(1);
    const { time, ms, level, ...line } = lines[0] ?? {};
    expect([time, ms, level]).toEqual([expect.any(Number), expect.any(Number), 30]);
    return line;
  }

  test('with its name, outcome and cost', async () => {
    const { buyer } = await knownIds(gateway.sandbox);
    const document = 'query Mixed($id: ID!) { company(id: $id) { country } farmer(id: "A") { name } }';
    const headers = { 'x-request-id': 'mine-1', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
    const line = await lineOf(() => gateway.query(document, { id: buyer }, { headers }));
    expect(line).toEqual({
      request_id: 'mine-1',
      trace_id: 'a'.repeat(32),
      method: 'POST',
      status: 200,
      kind: 'query',
      operation: 'Mixed',
      outcome: 'partial',
      upstream_calls: 2,
      errors: ['NOT_FOUND'],
      msg: 'GraphQL',
    });
  });

  test('with the calls that were sent, and not those of an open circuit', async () => {
    const settings = { 'circuitBreaker.calls': '2', 'circuitBreaker.probeIntervalMs': '60000', 'retries.max': '0' };
    await using failing = await startFakedGateway(settings, { accessLogger: logger });
    failing.upstream.fail(paths.farmers, { status: 503, body: '{}' });
    const ask = () => lineOf(() => failing.query('{ farmers { count } }'));
    expect([await ask(), await ask(), await ask()].map((line) => line.upstream_calls)).toEqual([1, 1, 0]);
  });

  test('with the reason of a refusal', async () => {
    expect(await lineOf(() => gateway.query('{ nothing }'))).toMatchObject({
      status: 400,
      kind: 'refused',
      outcome: 'failed',
      upstream_calls: 0,
      errors: ['GRAPHQL_VALIDATION_FAILED'],
    });
  });

  test('with a long name cut', async () => {
    const line = await lineOf(() => gateway.query(`query ${'N'.repeat(200)} { __typename }`));
    expect(line.operation).toBe('N'.repeat(100));
  });

  test.each([
    ['Apollo', 'apollographql-client'],
    ['Hive', 'x-graphql-client'],
    ['Hive Router', 'graphql-client'],
  ])('with the client, as the headers of %s name it', async (_who, header) => {
    const headers = { [`${header}-name`]: 'collect android', [`${header}-version`]: '3.1.0+7' };
    const line = await lineOf(() => gateway.query('{ __typename }', {}, { headers }));
    expect(line).toMatchObject({ client: 'collect android', client_version: '3.1.0+7' });
  });

  test('with the name of a client cut, and without characters that mislead readers', async () => {
    const headers = { 'graphql-client-name': `"a}\tb\\é${'c'.repeat(200)}` };
    const { client } = await lineOf(() => gateway.query('{ __typename }', {}, { headers }));
    expect(client).toBe(`_a__b__${'c'.repeat(57)}`);
  });

  test('but health, metrics and GraphiQL have none', async () => {
    const line = await lineOf(async () => {
      await fetch(new URL('/health/ready', gateway.url));
      await fetch(gateway.url, { headers: { accept: 'text/html' } });
      await gateway.query('query Last { __typename }');
    });
    expect(line.operation).toBe('Last');
  });
});

test('a gateway process writes all access log lines before it ends, unless ACCESS_LOG is off', async () => {
  const settings = { LOG_LEVEL: 'info', SANDBOX_DATA: ':memory:' };
  for (const [ACCESS_LOG, WORKERS, expected] of [
    ['auto', '1', Array(50).fill('Own')],
    ['auto', '2', Array(50).fill('Own')],
    ['off', '1', []],
  ] as const) {
    const gateway = await serve({ ...settings, ACCESS_LOG, WORKERS });
    await Promise.all(Array.from({ length: 50 }, () => gateway.post('query Own { __typename }')));
    gateway.child.kill('SIGTERM');
    expect(await gateway.exit).toBe(0);
    const names = [...gateway.output().matchAll(/"operation":"(\w+)"/g)].map(([, name]) => name);
    expect(names).toEqual(expected);
  }
});

test('a gateway in a terminal writes no access log, unless ACCESS_LOG is on', () => {
  const { isTTY } = process.stdout;
  process.stdout.isTTY = true;
  const loggers = (['auto', 'on'] as const).map((access) =>
    createAccessLogger({ access, level: 'info', bufferBytes: 1_024 }),
  );
  process.stdout.isTTY = isTTY;
  expect(loggers).toEqual([undefined, expect.anything()]);
});

test('the log redacts secrets anywhere, and has no query of a request', () => {
  lines.length = 0;
  const secret = 'Bearer 1234';
  const named = { authorization: secret, cookie: secret, 'set-cookie': [secret], 'idempotency-key': secret };
  logger.info({
    ...named,
    caller: { ...named, keys: named },
    headers: { 'x-api-key': secret },
    call: { headers: { 'x-api-key': secret } },
    req: { method: 'GET', url: `/graphql?query=${secret}`, headers: named },
    res: { statusCode: 200, headers: named },
  });
  expect(JSON.stringify(lines)).not.toContain(secret);
  expect(lines[0]).toMatchObject({ req: { method: 'GET', path: '/graphql' }, res: { status: 200 } });
});
