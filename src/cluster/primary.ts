import cluster, { type Worker as ClusterWorker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { metricsOfWorkers } from '../observability/metrics.ts';
import type { Gateway, GatewayOptions } from '../server/gateway.ts';
import { CacheInvalidation } from './cache-invalidation.ts';
import { answerScrapes } from './metrics.ts';

/** All that a worker starts from; it reads no settings itself. */
export type WorkerOptions = Omit<GatewayOptions, 'logger' | 'accessLogger' | 'others' | 'metricsOfAll'>;

/** What a worker tells the primary process: that it serves, or why it cannot. */
type Report = { url: string } | { failure: string };

interface Worker {
  pid: number | undefined;
  /** Where it serves. Rejects when it cannot, or ends before. */
  ready: Promise<string>;
  ended: Promise<Ending>;
}

interface Ending {
  /** In words. */
  how: string;
  isClean: boolean;
}

/** A worker that has lived as long as this is replaced at once. */
const steadyMs = 10_000;
/** For what a process has sent before its end. */
const lastMessageMs = 250;
const shortestPauseMs = 100;
const longestPauseMs = 30_000;

export const isWorker = cluster.isWorker;

/**
 * Serves from `WORKERS` processes that share one address, and replaces those that end. Closing drains all of them.
 * Rejects with the reason of the first that cannot start; the others end with this process.
 */
export async function startWorkers({ logger, ...options }: GatewayOptions): Promise<Gateway> {
  const closing = new AbortController();
  const forgetting = new CacheInvalidation();
  const metricsOfAll = metricsOfWorkers();

  function start(): Worker {
    const worker = fork(options, (process) => {
      forgetting.connect(process);
      answerScrapes(process, metricsOfAll);
    });
    worker.ready.then(
      (url) => logger.info({ pid: worker.pid, url }, 'A worker is ready'),
      () => {},
    );
    return worker;
  }

  /** How the last of them has ended, if it was still there. */
  async function replaceUntilClosing(first: Worker): Promise<Ending | undefined> {
    let pauseMs = 0;
    for (let worker = first; ; worker = start()) {
      const startedAt = performance.now();
      const ending = await worker.ended;
      if (closing.signal.aborted) return ending;
      const reason = await worker.ready.then(
        () => ending.how,
        (error: Error) => error.message,
      );
      // Starting takes a core for a while, which the other workers need if it is in vain.
      const isSteady = performance.now() - startedAt >= steadyMs;
      pauseMs = isSteady ? 0 : Math.min(Math.max(2 * pauseMs, shortestPauseMs), longestPauseMs);
      logger.error({ pid: worker.pid, reason, pauseMs }, 'A worker has ended and will be replaced');
      await pause(pauseMs, undefined, { signal: closing.signal }).catch(() => {});
      if (closing.signal.aborted) return undefined;
    }
  }

  const workers = Array.from({ length: options.config.WORKERS }, start);
  const [url = ''] = await Promise.all(workers.map(({ ready }) => ready));
  const places = workers.map(replaceUntilClosing);
  return {
    url,
    async close() {
      closing.abort();
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
      const endings = await Promise.all(places);
      return endings.every((ending) => ending?.isClean ?? true);
    },
  };
}

/** `connect`: hears what the worker tells from its first message on. */
function fork(options: WorkerOptions, connect: (worker: ClusterWorker) => void): Worker {
  const worker = cluster.fork();
  connect(worker);
  // Without a callback, a worker that is gone already would make this an error that nobody catches.
  worker.send(options, () => {});
  const isRead = once(worker, 'disconnect');
  const ended: Promise<Ending> = once(worker, 'exit').then(
    async ([code, signal]) => {
      // A process may be seen to exit before its last message is read; the channel ends after it. It never does where a
      // connection was on its way to the process.
      await Promise.race([isRead, pause(lastMessageMs)]);
      return {
        how: signal ? `It was ended by ${signal}.` : `It ended with code ${code}.`,
        // One that has just been started does not know how to stop yet.
        isClean: code === 0 || signal === 'SIGTERM',
      };
    },
    (error: Error) => ({ how: error.message, isClean: false }),
  );
  isRead.catch(() => {});
  const ready = new Promise<string>((resolve, reject) => {
    worker.on('message', (report: Report) => {
      if ('url' in report) resolve(report.url);
      if ('failure' in report) reject(new Error(report.failure));
    });
    ended.then(({ how }) => reject(new Error(`A worker could not start. ${how}`)));
  });
  return { pid: worker.process.pid, ready, ended };
}

/** In a worker: what the primary process has started it with. */
export async function workerOptions(): Promise<WorkerOptions> {
  const [options] = await once(process, 'message');
  return options;
}

/**
 * In a worker that has closed its server: resolves when the primary process knows, and connections that were on their way
 * here have gone to another worker.
 */
export async function disconnect(): Promise<void> {
  const { worker } = cluster;
  if (!worker?.isConnected()) return;
  const left = once(worker, 'disconnect');
  worker.disconnect();
  await left;
}

/** In a worker: resolves when the report is on its way. */
export function report(report: Report): Promise<void> {
  return new Promise((resolve) => process.send?.(report, () => resolve()));
}
