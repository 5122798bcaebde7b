import { parentPort, workerData } from 'node:worker_threads';
import { withResolvers } from '@gateway/base';
import { listenForAdmin, type Readiness } from './admin.ts';
import type { ToThread } from './admin-thread.ts';

/** The gateway does nothing at all. No load keeps its event loop that long. */
const stuckMs = 60_000;

let readiness: Readiness = 'starting';
let beatAt = performance.now();
let asked = withResolvers<string>();

parentPort!.on('message', (message: ToThread) => {
  if ('metrics' in message) return asked.resolve(message.metrics);
  readiness = message.readiness;
  beatAt = performance.now();
});

const server = await listenForAdmin(workerData, {
  readiness: () => readiness,
  isAlive: () => performance.now() - beatAt < stuckMs,
  metrics() {
    asked = withResolvers();
    parentPort!.postMessage(undefined);
    return asked.promise;
  },
});
parentPort!.postMessage(server.port);
