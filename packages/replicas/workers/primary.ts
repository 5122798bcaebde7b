import cluster from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { withResolvers } from '@gateway/base';
import { type Gateway, listenForAdmin, urlOf } from '@gateway/graphql-serve';
import type { Logger } from 'pino';
import { Channel, type ChannelToWorker } from './channel.ts';
import { metricsOf } from './metrics.ts';
import { Relay } from './pipe-carrier.ts';

interface Worker {
  pid: number | undefined;
  channel: ChannelToWorker;
  /** The URL at which the worker serves. Rejects when the worker cannot start, or ends before. */
  ready: Promise<string>;
  exit: Promise<Exit>;
}

interface Exit {
  /** In words. */
  reason: string;
  isClean: boolean;
}

/** The primary process replaces a worker at once if the worker has lived this long. */
const steadyMs = 10_000;
const shortestPauseMs = 100;
const longestPauseMs = 30_000;

/** `options`: JSON that each worker gets, which reads no settings itself. */
interface WorkersToStart {
  options: object;
  server: { workers: number; host: string; adminPort?: number | undefined };
  logger: Logger;
}

/**
 * Serves from `WORKERS` processes that share one address, and replaces those that end. Closing drains all of them.
 * Rejects with the reason of the first worker that cannot start. The other workers end with this process.
 */
export async function startWorkers({ options, server, logger }: WorkersToStart): Promise<Gateway> {
  shareOutput();
  const closing = new AbortController();
  const relay = new Relay();
  const running = new Set<Worker>();
  const serving = new Set<ChannelToWorker>();
  const metrics = metricsOf(serving);

  function start(): Worker {
    const worker = fork(options);
    const { channel } = worker;
    running.add(worker);
    worker.exit.then(() => running.delete(worker));
    relay.add(channel);
    channel.handle('metrics', metrics);
    channel.closed.then(() => serving.delete(channel));
    worker.ready.then(
      (url) => {
        serving.add(channel);
        logger.info({ pid: worker.pid, url }, 'A worker is ready');
      },
      () => {},
    );
    return worker;
  }

  /** Resolves to the exit of the last worker in this place. Undefined if the close came before a replacement. */
  async function replaceUntilClosing(first: Worker): Promise<Exit | undefined> {
    let pauseMs = 0;
    for (let worker = first; ; worker = start()) {
      const startedAt = performance.now();
      const exit = await worker.exit;
      if (closing.signal.aborted) return exit;
      const reason = await worker.ready.then(
        () => exit.reason,
        (error: Error) => error.message,
      );
      // A start takes a core for a while. Where starts fail, the other workers need that core.
      const isSteady = performance.now() - startedAt >= steadyMs;
      pauseMs = isSteady ? 0 : Math.min(Math.max(2 * pauseMs, shortestPauseMs), longestPauseMs);
      logger.error({ pid: worker.pid, reason, pauseMs }, 'A worker has ended and will be replaced');
      await pause(pauseMs, undefined, { signal: closing.signal }).catch(() => {});
      if (closing.signal.aborted) return undefined;
    }
  }

  const workers = Array.from({ length: server.workers }, start);
  const [url = ''] = await Promise.all(workers.map(({ ready }) => ready));
  const places = workers.map(replaceUntilClosing);
  const { host, adminPort } = server;
  // The event loop of this process has next to nothing to do, so that it answers at once.
  const readiness = () => (closing.signal.aborted ? 'stopping' : 'ready');
  const admin =
    adminPort === undefined ? undefined : await listenForAdmin({ host, port: adminPort }, { readiness, metrics });
  return {
    url,
    adminUrl: admin && urlOf(host, admin.port),
    async reload() {
      // A worker that is starting has no handler for the signal yet, and may have read its manifests.
      for (const { pid, ready } of running) ready.then(() => process.kill(pid as number, 'SIGHUP')).catch(() => {});
    },
    async close() {
      closing.abort();
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
      const exits = await Promise.all(places);
      admin?.close();
      return exits.every((exit) => exit?.isClean ?? true);
    },
  };
}

/**
 * A worker that inherited the standard output would make it blocking for all processes at its start. Its descriptor 4, the
 * last of these, stays as it is. In a terminal nothing blocks, and a worker has to see the terminal.
 */
function shareOutput(): void {
  const stdout = process.stdout.isTTY ? 'inherit' : 'ignore';
  cluster.setupPrimary({ stdio: ['ignore', stdout, 'pipe', 'ipc', process.stdout.fd] });
  process.stderr.on('error', () => {});
}

function fork(options: object): Worker {
  const worker = cluster.fork();
  worker.process.stderr?.on('data', (chunk) => process.stderr.write(chunk));
  const ready = withResolvers<string>();
  const channel: ChannelToWorker = new Channel(worker);
  channel.handle('start', () => options);
  channel.handle('ready', (url) => ready.resolve(url));
  channel.handle('failed', (reason) => ready.reject(new Error(reason)));
  const exit: Promise<Exit> = once(worker, 'exit').then(
    ([code, signal]) => ({
      reason: signal ? `The process was ended by ${signal}.` : `The process ended with code ${code}.`,
      // A worker that has just been started has no handler for the signal yet.
      isClean: code === 0 || signal === 'SIGTERM',
    }),
    (error: Error) => ({ reason: error.message, isClean: false }),
  );
  exit.then(({ reason }) => ready.reject(new Error(`A worker could not start. ${reason}`)));
  return { pid: worker.process.pid, channel, ready: ready.promise, exit };
}
