/** The sandbox, with many more rows where it has trade, in a thread of its own. Each message is the pace from then on. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Pace } from '../../packages/sandbox/framework/options.ts';
import { startSandbox } from '../../packages/sandbox/server.ts';
import { addTrade, noTrade } from './trading-world.ts';

const sandbox = await startSandbox();
const samples = workerData.hasTrade ? await addTrade(sandbox.url) : noTrade;
parentPort?.on('message', (pace: Pace) => {
  sandbox.setPace(pace);
  sandbox.clearCalls();
  parentPort?.postMessage('set');
});
parentPort?.postMessage({ url: sandbox.url, samples });
