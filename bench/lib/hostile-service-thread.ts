/** The hostile service in a thread of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { startHostileService } from './hostile-service.ts';

const { url } = await startHostileService(workerData);
parentPort?.postMessage(url);
