import type { TelemetrySettings } from '@gateway/telemetry';

export interface TelemetryVariables extends TelemetrySettings {
  /** A sentence for each variable that has not the effect that its value asks for. */
  complaints: string[];
}

const signals = ['TRACES', 'METRICS'] as const;
const samplers = ['always_on', 'always_off', 'traceidratio'].flatMap((root) => [root, `parentbased_${root}`]);

/** Those that this file reads, and those that the packages read. */
const knownName = new RegExp(
  `^OTEL_(${[
    'SDK_DISABLED|SERVICE_NAME|RESOURCE_ATTRIBUTES|PROPAGATORS|(TRACES|METRICS|LOGS)_EXPORTER|TRACES_SAMPLER(_ARG)?',
    'BSP_(MAX_QUEUE_SIZE|MAX_EXPORT_BATCH_SIZE|SCHEDULE_DELAY|EXPORT_TIMEOUT)|METRIC_EXPORT_(INTERVAL|TIMEOUT)',
    'EXPORTER_OTLP_((TRACES|METRICS)_)?(ENDPOINT|PROTOCOL|HEADERS|TIMEOUT|COMPRESSION|CERTIFICATE|CLIENT_(CERTIFICATE|KEY))',
    'EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE',
  ].join('|')})$`,
);

/** Undefined where no variable asks for OpenTelemetry. An unknown value is a complaint, and the default applies. */
export function telemetryFrom(environment: NodeJS.ProcessEnv): TelemetryVariables | undefined {
  /** Both signals may read one variable. */
  const complaints = new Set<string>();

  /** An empty variable counts as absent. */
  function text(name: string): string | undefined {
    return environment[name]?.trim() || undefined;
  }

  function word(name: string, known: readonly string[], fallback: string): string {
    const value = text(name)?.toLowerCase();
    if (value === undefined || known.includes(value)) return value ?? fallback;
    complaints.add(`${name}: not a value that the gateway knows; it uses ${fallback} (of ${known.join(', ')})`);
    return fallback;
  }

  /** Undefined where no endpoint is set. An exporter would call another place than a wrong one names. */
  function hasUrl(...names: string[]): boolean | undefined {
    const name = names.find((name) => text(name) !== undefined);
    if (name === undefined) return undefined;
    const isUrl = /^https?:$/.test(URL.parse(text(name)!)?.protocol ?? '');
    if (!isUrl) complaints.add(`${name}: must be a URL that begins with http:// or https://; nothing is exported`);
    return isUrl;
  }

  function count(name: string, fallback: number): number {
    const value = text(name);
    if (value === undefined || /^[1-9]\d{0,8}$/.test(value)) return value === undefined ? fallback : Number(value);
    complaints.add(`${name}: not a whole number above 0; the gateway uses ${fallback}`);
    return fallback;
  }

  if (word('OTEL_SDK_DISABLED', ['true', 'false'], 'false') === 'true') return undefined;
  const [exportsSpans, exportsMetrics] = signals.map((signal) => {
    const hasEndpoint = hasUrl(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`, 'OTEL_EXPORTER_OTLP_ENDPOINT');
    // /metrics answers Prometheus anyway.
    const known = ['otlp', 'none', ...(signal === 'METRICS' ? ['prometheus'] : [])];
    const exporter = text(`OTEL_${signal}_EXPORTER`);
    const isWanted = word(`OTEL_${signal}_EXPORTER`, known, 'otlp') === 'otlp';
    return isWanted && (hasEndpoint ?? exporter?.toLowerCase() === 'otlp');
  }) as [boolean, boolean];
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('OTEL_') || !value || knownName.test(name)) continue;
    complaints.add(`${name}: the gateway does not read it; packages/telemetry/README.md lists the variables`);
  }
  if (!exportsSpans && !exportsMetrics && complaints.size === 0) return undefined;

  const protocols = [
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    ...signals.map((signal) => `OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`),
  ];
  for (const name of protocols) word(name, ['http/protobuf'], 'http/protobuf');
  word('OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE', ['cumulative'], 'cumulative');
  word('OTEL_LOGS_EXPORTER', ['none'], 'none');
  const propagators = text('OTEL_PROPAGATORS')?.split(',') ?? ['tracecontext'];
  if (!propagators.some((name) => name.trim() === 'tracecontext')) {
    complaints.add('OTEL_PROPAGATORS: the gateway knows tracecontext alone, and uses it');
  }

  const sampler = word('OTEL_TRACES_SAMPLER', samplers, 'parentbased_always_on');
  const root = sampler.replace('parentbased_', '') as TelemetrySettings['sampler']['root'];
  const ratio = Number(text('OTEL_TRACES_SAMPLER_ARG') ?? 1);
  const isRatio = ratio >= 0 && ratio <= 1;
  if (!isRatio) complaints.add('OTEL_TRACES_SAMPLER_ARG: not a number from 0 to 1; the gateway uses 1');
  else if (root !== 'traceidratio' && text('OTEL_TRACES_SAMPLER_ARG')) {
    complaints.add('OTEL_TRACES_SAMPLER_ARG: has no effect unless OTEL_TRACES_SAMPLER is parentbased_traceidratio');
  }
  const maxQueueSize = count('OTEL_BSP_MAX_QUEUE_SIZE', 2_048);
  const exportIntervalMillis = count('OTEL_METRIC_EXPORT_INTERVAL', 60_000);
  return {
    exportsSpans,
    exportsMetrics,
    sampler: { isParentBased: sampler !== root, root, ratio: isRatio ? ratio : 1 },
    spans: {
      maxQueueSize,
      maxExportBatchSize: Math.min(count('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512), maxQueueSize),
      scheduledDelayMillis: count('OTEL_BSP_SCHEDULE_DELAY', 5_000),
      exportTimeoutMillis: count('OTEL_BSP_EXPORT_TIMEOUT', 30_000),
    },
    metrics: {
      exportIntervalMillis,
      exportTimeoutMillis: Math.min(count('OTEL_METRIC_EXPORT_TIMEOUT', 30_000), exportIntervalMillis),
    },
    complaints: [...complaints],
  };
}
