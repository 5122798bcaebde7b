import { setTimeout as sleep } from 'node:timers/promises';
import type { Inspector } from './inspector.ts';

/** MiB of the JavaScript heap, and of buffers outside it, that are still in use after a full garbage collection. */
export async function usedHeapMiB({ send }: Inspector): Promise<number> {
  // Finalizers may free garbage of the first collection only at the next.
  for (let i = 0; i < 2; i++) {
    await send('HeapProfiler.collectGarbage');
    await sleep(100);
  }
  const usage = await send<{ usedSize: number; backingStorageSize: number }>('Runtime.getHeapUsage');
  return (usage.usedSize + usage.backingStorageSize) / 2 ** 20;
}
