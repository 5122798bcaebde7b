import { describe, expect, test } from 'vitest';
import { scrape, valuesOf } from '../../../test/support/scrape.ts';
import { attributesOf, type Metric, missing, startCollector } from './collector.ts';
import { startExporting } from './exporting.ts';

describe.skipIf(missing)(`metrics${missing}`, () => {
  test('are those of /metrics, with their units and since the start', async () => {
    await using collector = await startCollector();
    const gateway = await startExporting(collector, { OTEL_TRACES_EXPORTER: 'none' });
    await gateway.query('{ farmers(limit: 2) { results { buyer { name } } } }');
    await gateway.query('{ nothing }');
    await expect.poll(async () => valuesOf(await scrape(gateway.url), 'operations_in_flight')['']).toBe(0);
    const scraped = await scrape(gateway.url);
    // The last export is that of the end.
    await gateway.close();

    const exported = (name: string) => collector.metrics.find((metric) => metric.name === `gateway_${name}`) as Metric;
    const points = (name: string) => {
      const { sum, gauge } = exported(name);
      return Object.fromEntries(
        // biome-ignore lint/suspicious/noExplicitAny: a point of the .proto files
        (sum ?? gauge).dataPoints.map((point: any) => [Object.values(attributesOf(point)).join(' '), point.asDouble]),
      );
    };
    for (const name of ['operations_total', 'errors_total', 'upstream_calls_total', 'memory_limit_bytes']) {
      expect(points(name)).toEqual(valuesOf(scraped, name));
    }
    expect(exported('operations_total')).toMatchObject({
      description: 'Operations by kind and outcome.',
      sum: { isMonotonic: true, aggregationTemporality: 'AGGREGATION_TEMPORALITY_CUMULATIVE' },
    });
    expect(exported('memory_limit_bytes')).toMatchObject({ unit: 'By', gauge: {} });
    const seconds = exported('upstream_call_seconds');
    expect(seconds).toMatchObject({
      unit: 's',
      histogram: { aggregationTemporality: 'AGGREGATION_TEMPORALITY_CUMULATIVE' },
    });
    for (const point of seconds.histogram.dataPoints) {
      const { endpoint } = attributesOf(point);
      const counts = point.bucketCounts.map(Number);
      expect(counts).toHaveLength(point.explicitBounds.length + 1);
      const total = counts.reduce((all: number, count: number) => all + count, 0);
      expect([String(total), total]).toEqual([
        point.count,
        valuesOf(scraped, 'upstream_call_seconds_count')[endpoint as string],
      ]);
      expect(point.sum).toBeCloseTo(valuesOf(scraped, 'upstream_call_seconds_sum')[endpoint as string] as number, 9);
      expect(BigInt(point.startTimeUnixNano)).toBeLessThan(BigInt(point.timeUnixNano));
    }
    expect(collector.requests.map(({ path }) => path)).toEqual(['/v1/metrics']);
  });

  test('and spans have the headers, the compression and the resource that the variables name', async () => {
    await using collector = await startCollector();
    const gateway = await startExporting(collector, {
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=mine,authorization=Bearer%20abc',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_SERVICE_NAME: 'shop-gateway',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.instance.id=pod-1',
    });
    await gateway.query('{ __typename }');
    await gateway.close();

    for (const { headers } of collector.requests) {
      expect(headers).toMatchObject({
        'x-tenant': 'mine',
        authorization: 'Bearer abc',
        'content-encoding': 'gzip',
        'content-type': 'application/x-protobuf',
      });
    }
    expect(collector.requests.map(({ path }) => path).toSorted()).toEqual(['/v1/metrics', '/v1/traces']);
    expect(collector.spans[0]?.resource).toMatchObject({
      'service.name': 'shop-gateway',
      'service.instance.id': 'pod-1',
      'deployment.environment.name': 'test',
    });
  });
});
