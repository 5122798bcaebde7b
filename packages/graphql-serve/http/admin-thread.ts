import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { withResolvers } from '@gateway/base';
import type { Admin, AdminServer, Readiness } from './admin.ts';

export interface AdminThreadData {
  host: string;
  port: number;
  /** Written by the gateway and read by the thread: the fields of `state`. */
  shared: Int32Array;
}

export const state = { readiness: 0, beats: 1 } as const;
/** The field `readiness` has the place of a word here. */
export const readinessWords: readonly Readiness[] = ['starting', 'ready', 'stopping'];

const beatMs = 100;

/**
 * Serves the paths for the operator in a thread of its own. It answers at once, however busy the gateway is. Rejects for a port
 * in use.
 */
export async function startAdminThread(
  address: { host: string; port: number },
  { readiness, metrics }: Admin,
): Promise<AdminServer> {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const workerData: AdminThreadData = { ...address, shared };
  // `.js` in the package that npm installs.
  const program = `./admin-worker${extname(import.meta.url)}`;
  const thread = new Worker(new URL(program, import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  });
  const port = withResolvers<number>();
  thread.once('error', port.reject);
  // The thread sends its port, and nothing to ask for the metrics.
  thread.on('message', async (taken?: number) => {
    if (taken === undefined) thread.postMessage(await metrics());
    else port.resolve(taken);
  });
  const beat = setInterval(() => {
    Atomics.add(shared, state.beats, 1);
    Atomics.store(shared, state.readiness, readinessWords.indexOf(readiness()));
  }, beatMs).unref();
  return {
    port: await port.promise,
    close() {
      clearInterval(beat);
      void thread.terminate();
    },
  };
}
