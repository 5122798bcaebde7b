import { setTimeout as pause } from 'node:timers/promises';
import { madeOnce, shareAnswer } from '@gateway/base';
import { type MetricsReport, type SharedMetrics, sumOfReports } from '@gateway/graphql-serve';
import type { ChannelToPrimary, ChannelToWorker } from './channel.ts';

/** A scrape waits for a worker that is stuck no longer. Prometheus gives up after ten seconds. */
const maxWaitMs = 500;

/** In the primary process: the sums over those of the workers that report in time, as text. */
export function metricsOf(workers: Iterable<ChannelToWorker>): () => Promise<string> {
  /** Requests for a worker that is stuck do not pile up. */
  const reports = new WeakMap<ChannelToWorker, () => Promise<MetricsReport>>();
  const reportOf = (worker: ChannelToWorker) =>
    madeOnce(reports, worker, () => shareAnswer(() => worker.request('metrics')))();

  return async () => {
    const tooLate = pause(maxWaitMs, undefined, { ref: false });
    const inTime = [...workers].map((worker) => Promise.race([reportOf(worker).catch(() => undefined), tooLate]));
    return sumOfReports((await Promise.all(inTime)).filter((report) => report !== undefined));
  };
}

/** In a worker: gives its metrics to the primary process, which adds them up. */
export function sharedMetrics(primary: ChannelToPrimary): SharedMetrics {
  return {
    report: (read) => primary.handle('metrics', read),
    text: shareAnswer(() => primary.request('metrics')),
  };
}
