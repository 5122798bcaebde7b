import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { withResolvers } from '@gateway/base';
import type { Admin, AdminServer, Readiness } from './admin.ts';

/** A beat, which shows that the gateway runs, or the metrics that the thread has asked for. */
export type ToThread = { readiness: Readiness } | { metrics: string };

const beatMs = 100;

/**
 * Serves the paths for the operator in a thread of its own. It answers at once, however busy the gateway is. Rejects for a port
 * in use.
 */
export async function startAdminThread(
  address: { host: string; port: number },
  { readiness, metrics }: Admin,
): Promise<AdminServer> {
  // `.js` in the package that npm installs.
  const program = `./admin-worker${extname(import.meta.url)}`;
  const thread = new Worker(new URL(program, import.meta.url), {
    workerData: address,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  });
  const port = withResolvers<number>();
  thread.once('error', port.reject);
  // The thread sends its port, and nothing to ask for the metrics.
  thread.on('message', async (taken?: number) => {
    if (taken === undefined) thread.postMessage({ metrics: await metrics() } satisfies ToThread);
    else port.resolve(taken);
  });
  const beat = setInterval(() => thread.postMessage({ readiness: readiness() } satisfies ToThread), beatMs).unref();
  return {
    port: await port.promise,
    close() {
      clearInterval(beat);
      void thread.terminate();
    },
  };
}
