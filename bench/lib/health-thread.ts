/** Checks the health of a gateway every 20 ms, in a thread of its own. Posts the milliseconds of each check at the end. */
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const times: number[] = [];
let isOver = false;
parentPort?.once('message', () => {
  isOver = true;
});
const agent = new Agent({ keepAlive: true });
while (!isOver) {
  times.push(await checkOnce());
  await sleep(20);
}
agent.destroy();
parentPort?.postMessage(times);

function checkOnce(): Promise<number> {
  const askedAt = performance.now();
  return new Promise((resolve, reject) => {
    get(new URL('/health/live', workerData as string), { agent }, (response) => {
      response.resume().on('end', () => resolve(performance.now() - askedAt));
    }).on('error', reject);
  });
}
