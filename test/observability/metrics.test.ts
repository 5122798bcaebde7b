import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { table } from '../docs/pages.ts';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { serve } from '../support/own-process.ts';
import { knownIds } from '../support/rest.ts';
import { type Sample, samplesOf, scrape, valuesOf } from '../support/scrape.ts';
import { ask, connect, twoWorkers, workers } from '../support/worker-connections.ts';

const farmer = 'query ($id: ID!) { farmer(id: $id) { id gender } }';

describe('a scrape', () => {
  let world: Gateway;
  let proxy: FakeUpstream;
  let gateway: Gateway;
  let ids: Awaited<ReturnType<typeof knownIds>>;
  beforeAll(async () => {
    world = await startGateway();
    proxy = await startFakeUpstream({ target: world.sandbox.url });
    ids = await knownIds(world.sandbox);
  });
  afterAll(async () => {
    await gateway.close();
    await proxy.close();
    await world.close();
  });

  /** The changes of metrics during `work`. */
  async function counted(metrics: string[], work: () => Promise<unknown>): Promise<Record<string, number>[]> {
    const before = await scrape(gateway.url);
    await work();
    const after = await scrape(gateway.url);
    return metrics.map((metric) => {
      const earlier = valuesOf(before, metric);
      const changes = Object.entries(valuesOf(after, metric)).map(([key, value]) => [key, value - (earlier[key] ?? 0)]);
      return Object.fromEntries(changes.filter(([, change]) => change !== 0));
    });
  }

  describe('from a gateway without cache and retries', () => {
    beforeAll(async () => {
      gateway = await startGateway({
        upstreamUrl: proxy.url,
        costs: 'learnt',
        settings: { FORWARD_HEADERS: 'x-sandbox-delay' },
      });
    });

    test('counts the calls of the service by endpoint, reason and status', async () => {
      proxy.respond = ({ path }) => (path.startsWith('/catalogs/connect-cards/') ? { breaks: true } : undefined);
      const [calls, seconds] = await counted(['upstream_calls_total', 'upstream_call_seconds_count'], async () => {
        await gateway.query(farmer, { id: ids.farmer });
        for (const id of ['A', 'B']) await gateway.query(farmer, { id });
        await gateway.query('{ farmers(limit: 1) { results { buyer { name country } } } }');
        await gateway.query('{ productTransactions(limit: 1) { results { product { name } } } }');
        await gateway.query('mutation { createPremium(input: { name: "Organic" }) { id } }');
        await gateway.query('{ cards { count } }');
      });
      proxy.respond = undefined;
      expect(calls).toEqual({
        'getFarmer by id 200': 1,
        'getFarmer by id 404': 2,
        'listFarmers root 200': 1,
        'getCompany by id 200': 1,
        'listProductTransactions root 200': 1,
        'listProducts list scan 200': 1,
        'createPremium write 201': 1,
        'listCards root none': 1,
      });
      expect(seconds).toMatchObject({ getFarmer: 3, createPremium: 1, listCards: 1 });
    });

    test('counts operations by type and outcome, their errors, and the answers', async () => {
      const metrics = ['operations_total', 'operation_seconds_count', 'errors_total', 'http_answers_total'];
      const [operations, took, errors, answers] = await counted(metrics, async () => {
        await gateway.query('{ farmers(limit: 1) { count } }');
        await gateway.query('{ __schema { queryType { name } } }');
        await gateway.query('{ farmers(limit: 1) { count } farmer(id: "A") { name } }');
        await gateway.query('{ farmer(id: "A") { name } }');
        await gateway.query('mutation { createFarmer(input: { first_name: "" }) { id } }');
        await gateway.query('{ nothing }');
        await fetch(gateway.url, { method: 'POST', body: '{' });
      });
      expect(operations).toEqual({
        'query ok': 1,
        'introspection ok': 1,
        'query partial': 1,
        'query failed': 1,
        'mutation failed': 1,
        'refused failed': 2,
      });
      expect(took).toEqual({ query: 3, introspection: 1, mutation: 1, refused: 2 });
      expect(errors).toEqual({
        NOT_FOUND: 2,
        BAD_USER_INPUT: 1,
        GRAPHQL_VALIDATION_FAILED: 1,
        UNSUPPORTED_MEDIA_TYPE: 1,
      });
      // The first scrape is answered when it has been read.
      expect(answers).toEqual({ 200: 6, 400: 1, 415: 1 });
    });

    test('counts an operation once for each code among its errors', async () => {
      const document = '{ one: farmer(id: "A") { name } two: farmer(id: "B") { name } farmers(limit: 1) { count } }';
      const figures = await counted(['errors_total', 'operations_with_errors_total'], () => gateway.query(document));
      expect(figures).toEqual([{ NOT_FOUND: 2 }, { NOT_FOUND: 1 }]);
    });

    test('gives operations under way, and counts clients that leave', async () => {
      let arrived = () => {};
      const underWay = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      proxy.respond = () => {
        arrived();
        return undefined;
      };
      const metrics = ['operations_total', 'upstream_calls_total', 'errors_total'];
      const inFlight = ['operations_in_flight', 'upstream_calls_in_flight'];
      const figures = await counted(metrics, async () => {
        const leaving = new AbortController();
        const { signal } = leaving;
        const headers = { 'x-sandbox-delay': '60000' };
        const answer = gateway.post('{ currencies { count } }', { headers, signal }).catch(() => 'left');
        await underWay;
        const samples = await scrape(gateway.url);
        expect(inFlight.map((metric) => valuesOf(samples, metric)[''])).toEqual([1, 1]);
        leaving.abort();
        expect(await answer).toBe('left');
        const left = async () => valuesOf(await scrape(gateway.url), 'operations_in_flight')[''];
        await expect.poll(left).toBe(0);
      });
      proxy.respond = undefined;
      expect(figures).toEqual([{ 'query left': 1 }, { 'listCurrencies root none': 1 }, {}]);
    });

    test('counts the keys of each batch', async () => {
      const metrics = ['batch_size_bucket', 'batch_size_sum', 'batch_size_count'];
      const [buckets, sum, count] = await counted(metrics, () =>
        gateway.query('{ farmers(limit: 20) { results { creator { first_name } } } currencies(limit: 1) { count } }'),
      );
      expect([sum?.ranges, count?.ranges]).toEqual([2, 1]);
      expect(count?.User).toBe(1);
      expect(buckets).toMatchObject({ '2 ranges': 1, '+Inf ranges': 1, '+Inf User': 1 });
      expect(buckets).not.toHaveProperty('1 ranges');
    });

    test('counts uploads and the bytes of their files', async () => {
      const metrics = ['uploads_total', 'upload_bytes_total'];
      const [uploads, bytes] = await counted(metrics, async () => {
        await upload(ids.payment, '%PDF + bytes');
        await upload('A', '%PDF!');
      });
      expect(uploads).toEqual({ ok: 1, failed: 1 });
      expect(bytes).toEqual({ '': 17 });
    });

    test('counts writes with an Idempotency-Key', async () => {
      const headers = { 'idempotency-key': 'a key' };
      const create = (name: string) =>
        gateway.query(`mutation { createFarmer(input: { first_name: "${name}" }) { id } }`, {}, { headers });
      const [writes, saved] = await counted(['idempotent_writes_total', 'upstream_saved_total'], async () => {
        for (const name of ['A', 'A', 'A', 'B']) await create(name);
      });
      expect(writes).toEqual({ sent: 1, replayed: 2, conflict: 1 });
      expect(saved).toEqual({ 'createFarmer replay': 2 });
    });

    test('shows what calls cost the service, as learnt from answers', async () => {
      const metrics = ['upstream_cost_call_seconds', 'upstream_cost_row_seconds'];
      const [call, row] = await counted(metrics, () => gateway.query('{ cards(limit: 5) { results { id } } }'));
      expect(call).toHaveProperty('listCards');
      expect(row).toHaveProperty('listCards');
      expect(await (await fetch(new URL('/metrics', gateway.url))).text()).toMatch(
        /gateway_upstream_cost_age_seconds\{endpoint="listCards"\} \d/,
      );
    });

    test('needs no key, shows none, and answers HEAD', async () => {
      const url = new URL('/metrics', gateway.url);
      const text = await (await fetch(url)).text();
      expect(text).not.toMatch(/demo-coop|127\.0\.0\.1/);
      const head = await fetch(url, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect((await fetch(url, { method: 'POST' })).status).toBe(405);
    });

    test('gives metrics of the process', async () => {
      const names = (await scrape(gateway.url, '')).map(({ name }) => name);
      expect(names).toEqual(
        expect.arrayContaining([
          'process_cpu_seconds_total',
          'process_resident_memory_bytes',
          'nodejs_eventloop_lag_seconds',
        ]),
      );
    });

    test('exports the metrics of docs/metrics.md', async () => {
      const text = await (await fetch(new URL('/metrics', gateway.url))).text();
      const declared = [...text.matchAll(/^# TYPE (gateway_\w+)/gm)].map(([, name]) => name);
      expect(table('docs/metrics.md', 'metric').map(([name = '']) => /`(\w+)/.exec(name)?.[1])).toEqual(declared);
    });
  });

  test('counts cached lists, shared reads and retries', async () => {
    await using caching = await startGateway({
      upstreamUrl: proxy.url,
      settings: { 'cache.lists.ttlMs': '60000', 'retries.max': '1', 'retries.baseMs': '1' },
    });
    let calls = 0;
    proxy.respond = ({ path }) => {
      if (!path.startsWith('/catalogs/currencies/')) return undefined;
      calls += 1;
      return calls === 1 ? { breaks: true } : undefined;
    };
    const document = '{ currencies(limit: 1) { results { code } } }';
    await Promise.all([caching.query(document), caching.query(document)]);
    await caching.query(document);

    const samples = await scrape(caching.url);
    expect(valuesOf(samples, 'upstream_calls_total')).toEqual({
      'listCurrencies root none': 1,
      'listCurrencies retry 200': 1,
    });
    expect(valuesOf(samples, 'upstream_saved_total')).toEqual({
      'listCurrencies in flight': 1,
      'listCurrencies cache': 1,
    });
    expect(valuesOf(samples, 'list_cache_reads_total')).toEqual({ 'listCurrencies miss': 2, 'listCurrencies hit': 1 });
    expect(valuesOf(samples, 'list_cache_lists')).toEqual({ '': 1 });
    expect(valuesOf(samples, 'list_cache_bytes')['']).toBeGreaterThan(50);
  });

  function upload(payment: string, content: string): Promise<Response> {
    const document =
      'mutation ($id: ID!, $file: Upload!) { uploadInvoice(payment_transaction: $id, invoice: $file) { id } }';
    return gateway.upload(document, { id: payment, file: null }, new File([content], 'invoice.pdf'));
  }
});

test('a scrape of any worker gives the sum over all workers', async () => {
  const gateway = await serve(twoWorkers);
  const connections = [await connect(gateway.url), await connect(gateway.url)];
  for (const connection of connections) await ask(connection, '{ farmers(limit: 1) { count } }');
  const sums = (samples: Sample[]) => [
    valuesOf(samples, 'upstream_calls_total'),
    valuesOf(samples, 'batch_size_sum'),
    valuesOf(samples, 'batch_size_bucket')['+Inf ranges'],
    valuesOf(samples, 'operations_in_flight'),
    // An average: each worker learns the parallelism by itself.
    valuesOf(samples, 'upstream_parallelism'),
  ];
  const expected = [{ 'listFarmers root 200': 2 }, { ranges: 2 }, 2, { '': 0 }, { '': 4 }];
  const scrapes = async () => (await Promise.all([scrape(gateway.url), scrape(gateway.url)])).map(sums);
  // A worker of a busy machine answers another one late.
  await expect.poll(scrapes).toEqual([expected, expected]);
});

test('a scrape sums the workers that answer, and says how many there are', async () => {
  const gateway = await serve(twoWorkers);
  const connections = [await connect(gateway.url), await connect(gateway.url)];
  const [stuck] = workers(gateway);
  process.kill(stuck as number, 'SIGSTOP');
  onTestFinished(() => void process.kill(stuck as number, 'SIGCONT'));

  const answer = await Promise.race(
    connections.map(async (connection) => {
      await connection.send('GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n');
      return connection.answer();
    }),
  );

  expect(answer?.status).toBe(200);
  const figures = valuesOf(samplesOf(answer?.body ?? ''), 'operations_total');
  expect(figures).toEqual({ 'query ok': 1 });
  const workersOf = (samples: Sample[]) =>
    ['workers', 'workers_reporting'].map((metric) => valuesOf(samples, metric)['']);
  expect(workersOf(samplesOf(answer?.body ?? ''))).toEqual([2, 1]);

  process.kill(stuck as number, 'SIGCONT');
  await expect.poll(async () => workersOf(await scrape(gateway.url))).toEqual([2, 2]);
});
