import { type DBSchema, openDB } from 'idb';
import type { QueuedWrite } from './queued-write.ts';

interface Schema extends DBSchema {
  writes: { key: number; value: QueuedWrite };
}

export type Queue = Awaited<ReturnType<typeof openQueue>>;

/** The writes of one account, in IndexedDB. */
export async function openQueue(account: string) {
  const name = `outbox-${account}`;
  const database = await openDB<Schema>(name, 1, {
    upgrade: (created) => void created.createObjectStore('writes', { keyPath: 'position' }),
  });
  const otherTabs = new BroadcastChannel(name);
  const listeners = new Set<() => void>();
  let writes: readonly QueuedWrite[] = await database.getAll('writes');
  otherTabs.onmessage = refresh;

  async function refresh() {
    writes = await database.getAll('writes');
    for (const listener of listeners) listener();
  }

  return {
    name,
    /** All writes, the oldest first. Another array after each change, also of another tab. */
    current: () => writes,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Changes the queue in one transaction, which is on the disk when the promise resolves. */
    async change(edit: (queue: readonly QueuedWrite[]) => readonly QueuedWrite[]) {
      const transaction = database.transaction('writes', 'readwrite', { durability: 'strict' });
      const before = await transaction.store.getAll();
      const after = edit(before);
      const left = new Set(after.map(({ position }) => position));
      for (const { position } of before) if (!left.has(position)) void transaction.store.delete(position);
      for (const queued of after) if (!before.includes(queued)) void transaction.store.put(queued);
      await transaction.done;
      otherTabs.postMessage('changed');
      await refresh();
    },
  };
}
