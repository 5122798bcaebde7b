import {
  BatchSpanProcessor,
  type BatchSpanProcessorOptions,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import type { ExportCounts } from './export-counts.ts';

/** Spans on their way to the collector, within a bound. */
export class SpanQueue {
  readonly #processor: BatchSpanProcessor;
  readonly #counts: ExportCounts;
  readonly #max: number;
  #waiting = 0;

  constructor(
    exporter: SpanExporter,
    options: Required<Pick<BatchSpanProcessorOptions, 'maxQueueSize'>> & Omit<BatchSpanProcessorOptions, 'exporter'>,
    counts: ExportCounts,
  ) {
    this.#counts = counts;
    this.#max = options.maxQueueSize;
    const batches: SpanExporter = {
      export: (spans, done) => {
        this.#waiting -= spans.length;
        exporter.export(spans, (result) => {
          if (result.code !== 0) counts.droppedSpans.inc({ reason: 'export' }, spans.length);
          done(result);
        });
      },
      shutdown: () => exporter.shutdown(),
    };
    this.#processor = new BatchSpanProcessor({ ...options, exporter: batches });
  }

  /** Makes and takes the spans of one operation, or none of them. */
  add(count: number, make: () => Iterable<ReadableSpan>): void {
    if (this.#waiting + count > this.#max) {
      this.#counts.droppedSpans.inc({ reason: 'queue full' }, count);
      return;
    }
    this.#waiting += count;
    for (const span of make()) this.#processor.onEnd(span);
  }

  /** Exports the spans that wait. */
  close(): Promise<void> {
    return this.#processor.shutdown();
  }
}
