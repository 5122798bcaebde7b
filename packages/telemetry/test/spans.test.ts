import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../../../test/support/fake-upstream.ts';
import { type Gateway, startGateway } from '../../../test/support/harness.ts';
import { knownIds } from '../../../test/support/rest.ts';
import { createLogger } from '../../graphql-serve/watch/logger.ts';
import { type Collector, missing, type Span, startCollector } from './collector.ts';
import { startExporting } from './exporting.ts';

const trace = 'a'.repeat(32);
const client = 'b'.repeat(16);
const sampled = `00-${trace}-${client}-01`;

describe.skipIf(missing)(`spans${missing}`, () => {
  let world: Gateway;
  let upstream: FakeUpstream;
  let collector: Collector;
  let ids: Awaited<ReturnType<typeof knownIds>>;
  const lines: Record<string, unknown>[] = [];
  beforeAll(async () => {
    world = await startGateway();
    upstream = await startFakeUpstream({ target: world.sandbox.url });
    collector = await startCollector();
    ids = await knownIds(world.sandbox);
  });
  afterAll(async () => {
    await upstream.close();
    await world.close();
    await collector.close();
  });
  beforeEach(() => {
    upstream.clear();
    collector.spans.length = 0;
    lines.length = 0;
  });

  /** Starts a gateway over `upstream`. An ordinary operation is not slow, on a stalled machine either. */
  function start(environment: Record<string, string> = {}, { settings = {}, slowMs = 60_000 } = {}): Promise<Gateway> {
    const write = (line: string) => void lines.push(JSON.parse(line));
    return startExporting(collector, environment, {
      upstreamUrl: upstream.url,
      settings: { LOG_LEVEL: 'info', ...settings },
      file: { tracing: { slowMs } },
      log: write,
      accessLogger: createLogger({ level: 'info' }, { write }, 'authorization'),
    });
  }

  /** Sends a document, and gives its spans: that of the operation, and those of its calls by name. */
  async function spansOf(gateway: Gateway, document: string, options = {}): Promise<[Span, ...Span[]]> {
    await gateway.query(document, {}, options);
    await expect.poll(() => collector.spans.filter(isServer)).toHaveLength(1);
    const [operation] = collector.spans.filter(isServer) as [Span];
    const calls = () => collector.spans.filter((span) => !isServer(span));
    await expect.poll(() => calls().length).toBe(operation.attributes['gateway.upstream.calls']);
    return [operation, ...calls().toSorted((a, b) => (a.name < b.name ? -1 : 1))];
  }

  const isServer = ({ kind }: Span) => kind === 'SPAN_KIND_SERVER';

  describe('with a sampler of all operations', () => {
    let gateway: Gateway;
    beforeAll(async () => {
      gateway = await start({}, { settings: { 'retries.max': '2', 'retries.baseMs': '1' } });
    });
    afterAll(() => gateway.close());

    test('name operations by their type, and calls by the template of their URL', async () => {
      const document = 'query Mine { mine: farmers(limit: 2) { results { buyer { name } } } }';
      const headers = { 'apollographql-client-name': 'shop', 'apollographql-client-version': '1.2' };
      const [operation, company, farmers] = await spansOf(gateway, document, { headers });

      expect(operation).toMatchObject({
        name: 'query',
        kind: 'SPAN_KIND_SERVER',
        parentSpanId: undefined,
        status: undefined,
        attributes: {
          'graphql.operation.type': 'query',
          'graphql.operation.name': 'Mine',
          'http.request.method': 'POST',
          'http.route': '/graphql',
          'http.response.status_code': 200,
          'gateway.kind': 'query',
          'gateway.outcome': 'ok',
          'gateway.client.name': 'shop',
          'gateway.client.version': '1.2',
          'gateway.upstream.calls': 2,
        },
      });
      expect(farmers).toMatchObject({
        name: 'GET /v1/supply-chains/farmers/',
        kind: 'SPAN_KIND_CLIENT',
        traceId: operation.traceId,
        parentSpanId: operation.spanId,
        status: undefined,
        attributes: {
          'http.request.method': 'GET',
          'url.template': '/v1/supply-chains/farmers/',
          'server.address': '127.0.0.1',
          'server.port': Number(new URL(upstream.url).port),
          'http.response.status_code': 200,
          'gateway.call.endpoint': 'listFarmers',
          'gateway.call.reason': 'root',
          'gateway.call.fields': ['farmers'],
          'gateway.call.rows': 2,
        },
      });
      expect(company).toMatchObject({
        name: 'GET /v1/supply-chains/companies/{hashid}/',
        attributes: { 'gateway.call.reason': 'by id', 'gateway.call.fields': ['Farmer.buyer'], 'gateway.call.rows': 1 },
      });
      const within = ({ start, end }: Span) => operation.start <= start && start < end && end <= operation.end;
      expect([farmers, company].map((span) => within(span as Span))).toEqual([true, true]);
    });

    test('have the span of the client as their parent, and are the parents of the spans of the service', async () => {
      const headers = { traceparent: sampled, tracestate: 'vendor=1' };
      const [operation, ...calls] = await spansOf(
        gateway,
        '{ farmers(limit: 1) { count } currencies(limit: 1) { count } }',
        {
          headers,
        },
      );

      expect([operation.traceId, operation.parentSpanId]).toEqual([trace, client]);
      // The lower byte is that of `traceparent`; the others say that the parent is in another process.
      expect(operation.flags).toBe(0x301);
      const sent = upstream.requests.map(({ headers: { traceparent, tracestate } }) => [traceparent, tracestate]);
      expect(sent.toSorted()).toEqual(calls.map(({ spanId }) => [`00-${trace}-${spanId}-01`, 'vendor=1']).toSorted());
      expect(new Set([operation, ...calls].map(({ spanId }) => spanId)).size).toBe(3);
    });

    test('count the attempts of a call, and say what failed', async () => {
      upstream.fail('/supply-chains/farmers/', { status: 503, times: 1 });
      const [operation, first, second] = await spansOf(gateway, '{ farmers(limit: 1) { count } }');

      expect(operation.status).toBeUndefined();
      expect(first).toMatchObject({
        status: 'STATUS_CODE_ERROR',
        attributes: { 'http.response.status_code': 503, 'error.type': '503' },
      });
      expect(first?.attributes).not.toHaveProperty('http.request.resend_count');
      expect(second).toMatchObject({ status: undefined, attributes: { 'http.request.resend_count': 1 } });
    });

    test('have no status of an earlier attempt', async () => {
      upstream.respond = ({ path }) => (path.includes('/farmers/') ? faults.shift() : undefined);
      const faults = [{ status: 503 }, { breaks: true as const }];
      const [, first, second] = await spansOf(gateway, '{ farmers(limit: 1) { count } }');
      upstream.respond = undefined;

      expect(first?.attributes).toMatchObject({ 'http.response.status_code': 503 });
      expect(second?.attributes).toMatchObject({ 'error.type': 'UPSTREAM_UNAVAILABLE' });
      expect(second?.attributes).not.toHaveProperty('http.response.status_code');
    });

    test('lie within their operation, and follow a clock that was set', async () => {
      const hourMs = 3_600_000;
      const now = Date.now;
      let reads = 0;
      vi.spyOn(Date, 'now').mockImplementation(() => now() + (reads++ % 2) * hourMs);
      for (let times = 0; times < 4; times += 1) {
        const [operation, call] = await spansOf(gateway, '{ farmers(limit: 1) { count } }');
        expect(call?.start).toBeGreaterThanOrEqual(operation.start);
        expect(call?.end).toBeLessThanOrEqual(operation.end);
        collector.spans.length = 0;
      }
      const earliest = now() + hourMs - 10;
      vi.mocked(Date.now).mockImplementation(() => now() + hourMs);
      const [later] = await spansOf(gateway, '{ __typename }');
      expect(later.start).toBeGreaterThanOrEqual(BigInt(earliest) * 1_000_000n);
    });

    test('have the codes of errors, and fail for faults of the service alone', async () => {
      const [missing] = await spansOf(gateway, '{ farmer(id: "A") { name } }');
      expect(missing).toMatchObject({
        status: undefined,
        attributes: { 'gateway.outcome': 'failed', 'gateway.error.codes': ['NOT_FOUND'] },
      });
      collector.spans.length = 0;
      upstream.fail('/supply-chains/farmers/', { breaks: true });
      const [failed, call] = await spansOf(gateway, '{ farmers(limit: 1) { count } }');
      upstream.recover();
      expect(failed).toMatchObject({
        status: 'STATUS_CODE_ERROR',
        attributes: { 'error.type': 'UPSTREAM_UNAVAILABLE', 'gateway.error.codes': ['UPSTREAM_UNAVAILABLE'] },
      });
      expect(call).toMatchObject({ status: 'STATUS_CODE_ERROR', attributes: { 'error.type': 'UPSTREAM_UNAVAILABLE' } });
    });

    test('name mutations, and operations that did not run', async () => {
      const [mutation] = await spansOf(gateway, 'mutation { createPremium(input: { name: "Organic" }) { id } }');
      expect(mutation).toMatchObject({ name: 'mutation', attributes: { 'graphql.operation.type': 'mutation' } });
      collector.spans.length = 0;
      const [refused] = await spansOf(gateway, '{ nothing }');
      expect(refused).toMatchObject({
        name: 'GraphQL Operation',
        attributes: { 'gateway.kind': 'refused', 'gateway.error.codes': ['GRAPHQL_VALIDATION_FAILED'] },
      });
    });

    test('link operations to the read of another that they share', async () => {
      upstream.hold('reads');
      const document = `{ farmer(id: "${ids.farmer}") { gender } }`;
      const first = gateway.query(document);
      await upstream.untilArrived(1);
      const second = gateway.query(document);
      await expect.poll(async () => (await metric(gateway, 'upstream_saved_total'))?.includes('in flight')).toBe(true);
      upstream.release();
      await Promise.all([first, second]);

      await expect.poll(() => collector.spans.filter(isServer)).toHaveLength(2);
      const [call] = collector.spans.filter((span) => !isServer(span)) as [Span];
      const [owner, other] = collector.spans.filter(isServer).toSorted((a, b) => a.links.length - b.links.length);
      expect(owner?.links).toEqual([]);
      expect(call.parentSpanId).toBe(owner?.spanId);
      const { traceId, spanId } = call;
      expect(other?.links).toEqual([{ traceId, spanId, attributes: { 'gateway.call.reason': 'by id' } }]);
      expect(other?.traceId).not.toBe(traceId);
    });

    test('show the calls of a file, window by window', async () => {
      const response = await gateway.post('{ all: farmers { results { id buyer { name } } } }', {
        headers: { accept: 'text/csv' },
      });
      expect(await response.text()).toContain('id');
      await expect.poll(() => collector.spans.filter(isServer)).toHaveLength(1);
      const [file] = collector.spans.filter(isServer);
      expect(file).toMatchObject({ name: 'query', attributes: { 'gateway.kind': 'file' } });
      const calls = collector.spans.filter((span) => !isServer(span));
      expect(calls.length).toBe(file?.attributes['gateway.upstream.calls']);
      expect(new Set(calls.flatMap(({ attributes }) => attributes['gateway.call.fields']))).toEqual(
        new Set(['farmers', 'Farmer.buyer']),
      );
    });

    test('stand in the lines of the log', async () => {
      upstream.fail('/supply-chains/farmers/', { stalls: true });
      const [operation] = await spansOf(gateway, '{ currencies(limit: 1) { count } }');
      upstream.recover();
      await expect.poll(() => lines).toHaveLength(1);
      expect(lines[0]).toMatchObject({ trace_id: operation.traceId, span_id: operation.spanId, outcome: 'ok' });
    });

    test('are those of the process that made them', async () => {
      const [{ resource }] = await spansOf(gateway, '{ __typename }');
      expect(resource).toMatchObject({
        'service.name': 'traceability-graphql-gateway',
        'service.version': '0.1.0',
        'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'telemetry.sdk.name': 'opentelemetry',
      });
    });
  });

  describe('with a sampler of no operation', () => {
    const none = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' };
    const ordinary = '{ farmers(limit: 1) { count } }';

    test('belong to what the client samples, and to operations that failed or were too much', async () => {
      const gateway = await start(none, { settings: { 'limits.operations.cost': '50' } });
      await gateway.query(ordinary);
      await gateway.query(ordinary, {}, { headers: { traceparent: `00-${trace}-${client}-00` } });
      await gateway.query('{ nothing }');
      await gateway.query('{ farmer(id: "A") { name } }');
      await gateway.query(ordinary, {}, { headers: { traceparent: sampled } });
      await gateway.query('query TooMuch { farmers(limit: 100) { results { id } } }');
      upstream.fail('/supply-chains/farmers/', { status: 500 });
      await gateway.query('query Failed { farmers(limit: 1) { count } }');
      upstream.recover();
      await gateway.close();

      const exported = collector.spans.filter(isServer).map(({ attributes, traceId, flags }) => ({
        name: attributes['graphql.operation.name'],
        codes: attributes['gateway.error.codes'],
        isOfClient: traceId === trace,
        isSampled: (flags & 1) === 1,
      }));
      expect(exported).toEqual([
        { name: undefined, codes: undefined, isOfClient: true, isSampled: true },
        { name: undefined, codes: ['QUERY_TOO_COMPLEX'], isOfClient: false, isSampled: true },
        { name: 'Failed', codes: ['UPSTREAM_ERROR'], isOfClient: false, isSampled: true },
      ]);
      // The service hears in time of the client's sample alone.
      const flags = upstream.requests.map(({ headers }) => headers.traceparent?.slice(-2));
      expect(flags.toSorted()).toEqual(['00', '00', '00', '00', '00', '01']);
    });

    test('belong to slow operations, with all their calls', async () => {
      await using gateway = await start(none, { slowMs: 1 });
      upstream.respond = async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        return undefined;
      };
      const [operation, call] = await spansOf(gateway, ordinary);
      upstream.respond = undefined;
      expect([operation.name, call?.name]).toEqual(['query', 'GET /v1/supply-chains/farmers/']);
    });
  });

  describe('that the collector does not take', () => {
    const noMetrics = { OTEL_METRICS_EXPORTER: 'none' };

    test('are counted and said once, while operations go on', async () => {
      await using gateway = await start(noMetrics);
      collector.answer = 400;
      for (let times = 0; times < 3; times += 1) {
        await gateway.query('{ __typename }');
        await expect.poll(() => metric(gateway, 'otlp_spans_dropped_total')).toBe(`reason="export"} ${times + 1}`);
      }
      collector.answer = 200;
      await gateway.query('{ __typename }');
      await expect.poll(() => collector.spans).toHaveLength(1);
      await expect
        .poll(() => lines.filter(({ signal }) => signal === 'traces').map(({ msg }) => msg))
        .toEqual([
          'The collector of OpenTelemetry does not take what is exported',
          'The collector of OpenTelemetry takes what is exported again',
        ]);
    });

    test('wait in a bounded queue, and the end of the gateway does not wait for them', async () => {
      const gateway = await start({ ...noMetrics, OTEL_EXPORTER_OTLP_TIMEOUT: '60000', OTEL_BSP_MAX_QUEUE_SIZE: '4' });
      collector.answer = 'stalled';
      await gateway.query('{ __typename }');
      // The first export is under way.
      await expect.poll(() => collector.stalled).toBe(1);
      for (let times = 0; times < 6; times += 1) await gateway.query('{ __typename }');
      await expect.poll(() => metric(gateway, 'otlp_spans_dropped_total')).toBe('reason="queue full"} 2');
      await gateway.close();
      collector.answer = 200;
      expect(collector.spans).toEqual([]);
    });
  });
});

/** The text after the name of a metric of the gateway, in its last line of a scrape. */
async function metric(gateway: Gateway, name: string): Promise<string | undefined> {
  const text = await (await fetch(new URL('/metrics', gateway.url))).text();
  return [...text.matchAll(new RegExp(`^gateway_${name}\\{(.*)$`, 'gm'))].at(-1)?.[1];
}
