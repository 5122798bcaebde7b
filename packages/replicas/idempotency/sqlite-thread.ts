import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { SqliteRecords, type Step } from './sqlite-records.ts';

/** Between two transactions: each takes CPU, whether it has one step or twenty. */
const pauseMs = 2;

/** The thread of an SQLite file. Takes steps, and posts their results. Null closes the file. */
const port = parentPort as MessagePort;
// The first message says that the thread runs.
port.postMessage([]);
const records = new SqliteRecords(workerData);

port.on('message', (first: Step | null) => {
  const given = [first];
  // Steps that have come meanwhile share the transaction.
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) given.push(next.message);
  const steps = given.filter((step) => step !== null);
  if (steps.length > 0) port.postMessage(records.run(steps));
  if (steps.length === given.length) return void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  records.close();
  port.close();
});
