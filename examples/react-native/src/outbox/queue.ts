import { oneByOne } from './one-by-one.ts';
import type { QueuedWrite } from './queued-write.ts';

/** Text on the device: `@react-native-async-storage/async-storage`, or `expo-sqlite/kv-store`. */
export interface Storage {
  getItem(key: string): Promise<string | null>;
  setItem(key: string, value: string): Promise<void>;
}

export type Queue = Awaited<ReturnType<typeof openQueue>>;

/** The writes of one account. All of them are one item, which is stored whole or not at all. */
export async function openQueue(account: string, storage: Storage) {
  const name = `outbox-${account}`;
  const listeners = new Set<() => void>();
  const read = async (): Promise<readonly QueuedWrite[]> => JSON.parse((await storage.getItem(name)) ?? '[]');
  let writes = await read();

  return {
    name,
    /** All writes, the oldest first. Another array after each change. */
    current: () => writes,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Changes the queue. The change is on the device when the promise resolves. */
    change: (edit: (queue: readonly QueuedWrite[]) => readonly QueuedWrite[]) =>
      oneByOne(`${name} stored`, async () => {
        const after = edit(await read());
        await storage.setItem(name, JSON.stringify(after));
        writes = after;
        for (const listener of listeners) listener();
      }),
  };
}
