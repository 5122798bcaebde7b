import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { listenForAdmin } from './admin.ts';
import { type AdminThreadData, readinessWords, state } from './admin-thread.ts';

/** The gateway does nothing at all. No load keeps its event loop that long. */
const stuckMs = 60_000;

const { host, port, shared } = workerData as AdminThreadData;
let beats = 0;
let since = performance.now();

const server = await listenForAdmin(
  { host, port },
  {
    readiness: () => readinessWords[Atomics.load(shared, state.readiness)]!,
    isAlive() {
      const now = performance.now();
      const before = beats;
      beats = Atomics.load(shared, state.beats);
      if (beats !== before) since = now;
      return now - since < stuckMs;
    },
    async metrics() {
      const answer = once(parentPort!, 'message');
      parentPort!.postMessage(undefined);
      const [text] = await answer;
      return text;
    },
  },
);
parentPort!.postMessage(server.port);
