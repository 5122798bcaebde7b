import type { Logger } from 'pino';
import type { ExportCounts } from './export-counts.ts';

interface Result {
  /** 0 where the collector has taken it. */
  code: number;
  error?: Error;
}

interface Exporter<Item> {
  export(item: Item, done: (result: Result) => void): void;
}

/** Counts the exports, and logs the first that fails and the first that succeeds again. */
export function watchExports<Item, E extends Exporter<Item>>(
  exporter: E,
  signal: 'traces' | 'metrics',
  { counts, logger }: { counts: ExportCounts; logger: Logger },
): E {
  const send = exporter.export.bind(exporter);
  let isFailing = false;

  function note({ code, error }: Result): void {
    const isFailed = code !== 0;
    counts.exports.inc({ signal, outcome: isFailed ? 'failed' : 'ok' });
    if (isFailed === isFailing) return;
    isFailing = isFailed;
    if (isFailed) logger.warn({ signal, err: error }, 'The collector of OpenTelemetry does not take what is exported');
    else logger.info({ signal }, 'The collector of OpenTelemetry takes what is exported again');
  }

  exporter.export = (item: Item, done: (result: Result) => void) => {
    const end = (result: Result) => {
      note(result);
      done(result);
    };
    try {
      send(item, end);
    } catch (error) {
      end({ code: 1, error: error as Error });
    }
  };
  return exporter;
}
