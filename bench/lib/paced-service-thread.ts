/** The sandbox with many rows, in a thread of its own. Each message is the pace from then on. */
import { parentPort } from 'node:worker_threads';
import type { Pace } from '../../packages/sandbox/framework/options.ts';
import { startSandbox } from '../../packages/sandbox/server.ts';
import { addTrade } from './trading-world.ts';

const sandbox = await startSandbox();
const samples = await addTrade(sandbox.url);
parentPort?.on('message', (pace: Pace) => {
  sandbox.setPace(pace);
  sandbox.clearCalls();
  parentPort?.postMessage('set');
});
parentPort?.postMessage({ url: sandbox.url, samples });
