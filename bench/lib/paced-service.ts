import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Call } from '../../packages/sandbox/framework/calls.ts';
import type { Pace } from '../../packages/sandbox/framework/options.ts';
import type { Samples } from './trading-world.ts';

export interface PacedService {
  url: string;
  samples: Samples;
  /** Sets the pace, ends the work that is left, and clears the calls. */
  start(pace: Pace): Promise<void>;
  /** The calls since the last `start`. */
  calls(): Promise<Call[]>;
  close(): Promise<unknown>;
}

/** Starts the sandbox in a thread of its own, so that it does not take the processor of the gateway. `hasTrade`: with rows beside its own. */
export async function startPacedService({ hasTrade = true } = {}): Promise<PacedService> {
  const worker = new Worker(new URL('paced-service-thread.ts', import.meta.url), { workerData: { hasTrade } });
  const [{ url, samples }] = await once(worker, 'message');
  return {
    url,
    samples,
    async start(pace) {
      worker.postMessage(pace);
      await once(worker, 'message');
    },
    async calls() {
      const { calls } = await (await fetch(new URL('/__sandbox/calls', url))).json();
      return calls;
    },
    close: () => worker.terminate(),
  };
}
