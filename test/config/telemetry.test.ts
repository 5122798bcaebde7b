import { expect, test } from 'vitest';
import { readTelemetry } from '../../src/config.ts';

const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318';

test.each([
  [{}, undefined],
  [{ OTEL_SERVICE_NAME: 'gateway', OTEL_TRACES_SAMPLER: 'always_on' }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'prometheus' }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT }, [true, true]],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector/traces' }, [true, false]],
  [{ OTEL_METRICS_EXPORTER: 'otlp' }, [false, true]],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_METRICS_EXPORTER: 'none' }, [true, false]],
])('%j decides whether spans and metrics are exported', (environment, expected) => {
  const settings = readTelemetry(environment);
  expect(settings && [settings.exportsSpans, settings.exportsMetrics]).toEqual(expected);
  expect(settings?.complaints ?? []).toEqual([]);
});

test('the variables of OpenTelemetry have their usual defaults', () => {
  expect(readTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT })).toMatchObject({
    sampler: { isParentBased: true, root: 'always_on' },
    spans: { maxQueueSize: 2048, maxExportBatchSize: 512, scheduledDelayMillis: 5000, exportTimeoutMillis: 30_000 },
    metrics: { exportIntervalMillis: 60_000, exportTimeoutMillis: 30_000 },
  });
  const sampler = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' };
  expect(readTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT, ...sampler })?.sampler).toEqual({
    isParentBased: false,
    root: 'traceidratio',
    ratio: 0.25,
  });
});

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318', OTEL_TRACES_EXPORTER: 'otlp' }, [false, false]],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'collector:4318' }, [true, false]],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://a:1' }, [true, false]],
])('%j exports nothing to an endpoint that is no URL of HTTP', (environment, expected) => {
  const { exportsSpans, exportsMetrics, complaints } = readTelemetry(environment)!;
  expect([exportsSpans, exportsMetrics]).toEqual(expected);
  expect(complaints).toEqual([expect.stringMatching(/_ENDPOINT: must be a URL .*; nothing is exported$/)]);
});

test('a value that the gateway does not know is said without the value, and the default applies', () => {
  const settings = readTelemetry({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_TRACES_EXPORTER: 'zipkin',
    OTEL_TRACES_SAMPLER: 'jaeger_remote',
    OTEL_TRACES_SAMPLER_ARG: 'half',
    OTEL_BSP_MAX_QUEUE_SIZE: '-1',
    OTEL_PROPAGATORS: 'b3',
    OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'delta',
  });
  expect(settings?.complaints.map((complaint) => complaint.split(':')[0])).toEqual([
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_TRACES_EXPORTER',
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    'OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE',
    'OTEL_PROPAGATORS',
    'OTEL_TRACES_SAMPLER',
    'OTEL_TRACES_SAMPLER_ARG',
    'OTEL_BSP_MAX_QUEUE_SIZE',
  ]);
  expect(settings?.complaints.join()).not.toMatch(/4317|grpc|zipkin|jaeger|half|delta|b3/);
  expect(settings).toMatchObject({ sampler: { root: 'always_on', ratio: 1 }, spans: { maxQueueSize: 2048 } });
});

test('a ratio without its sampler is said', () => {
  const settings = readTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG: '0.01' });
  expect(settings?.complaints).toEqual([expect.stringContaining('OTEL_TRACES_SAMPLER_ARG: has no effect')]);
});

test('a variable of OpenTelemetry that the gateway does not read is said without the value', () => {
  const settings = readTelemetry({ OTEL_EXPORTER_OTLP_ENDPONT: 'http://collector:4318', OTEL_SERVICE_NAME: 'gateway' });
  expect(settings).toMatchObject({ exportsSpans: false, exportsMetrics: false });
  expect(settings?.complaints).toEqual([
    expect.stringMatching(/^OTEL_EXPORTER_OTLP_ENDPONT: the gateway does not read/),
  ]);
});
