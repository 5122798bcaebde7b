/** Compares the plans for one pace in a thread of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { comparePlans } from './compare-plans.ts';

parentPort?.postMessage(await comparePlans(workerData));
