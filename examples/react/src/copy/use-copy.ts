import type { ApolloClient } from '@apollo/client';
import { createContext, use, useState, useSyncExternalStore } from 'react';
import type { Failure } from '../failure.ts';
import { openCopy } from './copy.ts';
import { transactionService } from './service.ts';
import { SyncError, sync } from './sync.ts';

/** The copy of an account, and what makes it as the service is. */
export async function openSyncedCopy(client: ApolloClient, account: string) {
  const copy = await openCopy(account);
  const service = transactionService(client);
  // One tab syncs at a time.
  return { copy, sync: () => navigator.locks.request(copy.name, () => sync(service, copy)) };
}

export const CopyContext = createContext<Awaited<ReturnType<typeof openSyncedCopy>> | undefined>(undefined);

/** The rows on the device as they are now, and a sync of them. */
export function useCopy() {
  const opened = use(CopyContext);
  if (!opened) throw new Error('CopyContext has no copy above this component.');
  const { copy } = opened;
  const rows = useSyncExternalStore(copy.subscribe, copy.current);
  const [syncing, setSyncing] = useState(false);
  const [failures, setFailures] = useState<readonly Failure[]>([]);

  async function sync() {
    setSyncing(true);
    setFailures([]);
    try {
      await opened?.sync();
    } catch (error) {
      if (!(error instanceof SyncError)) throw error;
      setFailures(error.failures);
    } finally {
      setSyncing(false);
    }
  }
  return { rows, syncing, failures, sync };
}
