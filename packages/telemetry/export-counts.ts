import { counter } from '@gateway/base';

/** Counts what reaches the collector of OpenTelemetry. */
export class ExportCounts {
  /** `signal`: `traces` or `metrics`; `outcome`: `ok` or `failed`. */
  readonly exports = counter('otlp_exports_total', 'Exports to the collector of OpenTelemetry.', ['signal', 'outcome']);
  /** `reason`: `queue full`, or `export` where the collector has not taken them. */
  readonly droppedSpans = counter('otlp_spans_dropped_total', 'Spans that the collector did not get.', ['reason']);
}
