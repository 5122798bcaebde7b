import { type DBSchema, openDB } from 'idb';
import type { CopiedTransaction } from './service.ts';
import type { Copy, Progress } from './sync.ts';

interface Schema extends DBSchema {
  rows: { key: string; value: CopiedTransaction };
  progress: { key: 'progress'; value: Progress };
}

export type TransactionCopy = Awaited<ReturnType<typeof openCopy>>;

/** The product transactions of one account, in IndexedDB. */
export async function openCopy(account: string) {
  const name = `copy-${account}`;
  const database = await openDB<Schema>(name, 1, {
    upgrade(created) {
      created.createObjectStore('rows', { keyPath: 'id' });
      created.createObjectStore('progress');
    },
  });
  const listeners = new Set<() => void>();
  let rows: readonly CopiedTransaction[] = await database.getAll('rows');

  const copy: Copy<CopiedTransaction> = {
    progress: async () => (await database.get('progress', 'progress')) ?? { unseen: 0 },
    ids: () => database.getAllKeys('rows'),
    async change({ put = [], remove = [], progress }) {
      const transaction = database.transaction(['rows', 'progress'], 'readwrite');
      const stored = transaction.objectStore('rows');
      for (const row of put) void stored.put(row);
      for (const id of remove) void stored.delete(id);
      void transaction.objectStore('progress').put(progress, 'progress');
      await transaction.done;
      rows = await database.getAll('rows');
      for (const listener of listeners) listener();
    },
  };
  return {
    ...copy,
    name,
    /** All rows. Another array after each change. */
    current: () => rows,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
