import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { presetWorld } from '@gateway/sandbox';
import type { Answer, Message } from './messages.ts';
import { ServedGateway } from './served-gateway.ts';

/** The process of the test gateways: starts and asks them for the process of the tests, and ends with it. */
const gateways = new Map<number, ServedGateway>();

presetWorld(readFileSync(join(import.meta.dirname, 'world.sqlite')));

process.on('message', async (text: string) => {
  const message: Message = JSON.parse(text);
  const answer = await answerOf(message);
  process.send?.(JSON.stringify(answer), () => {});
});
process.on('disconnect', () => process.exit());
// A terminal sends Ctrl-C to both processes. The tests may have to stop more than their gateways.
process.on('SIGINT', () => {});

async function answerOf({ id, gateway, method, args }: Message): Promise<Answer> {
  try {
    return { id, value: await run(gateway, method, args) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

async function run(number: number, method: Message['method'], args: unknown[]): Promise<unknown> {
  if (method === 'start') {
    const started = await ServedGateway.start(args[0] as Parameters<typeof ServedGateway.start>[0]);
    gateways.set(number, started);
    if (gateways.size === 1) setImmediate(flushCompileCache);
    return started.url();
  }
  const served = gateways.get(number);
  if (!served) throw new Error('This gateway is stopped.');
  if (method === 'stop') gateways.delete(number);
  return (served[method] as (...all: unknown[]) => unknown)(...args);
}
