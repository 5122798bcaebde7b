import { parentPort, workerData } from 'node:worker_threads';
import { SqliteRecords, type Step } from './sqlite-records.ts';

/** The thread of an SQLite file. Takes steps, and posts their results. Null closes the file. */
parentPort?.postMessage('started');
const records = new SqliteRecords(workerData);

parentPort?.on('message', (steps: readonly Step[] | null) => {
  if (steps) return parentPort?.postMessage(records.run(steps));
  records.close();
  parentPort?.close();
});
