import type { ApolloClient } from '@apollo/client';
import { CryptoDigestAlgorithm, digestStringAsync } from 'expo-crypto';
import { useSyncExternalStore } from 'react';
import { useSession } from '../session.tsx';
import { callerOf } from './caller.ts';
import { phone } from './phone.ts';
import { pushBy } from './push.ts';
import { openQueue, type Storage } from './queue.ts';
import { createSender } from './sender.ts';

export type Outbox = Awaited<ReturnType<typeof openOutbox>>;

/** The queue of the caller, which nobody else can send, and what sends it. */
export async function openOutbox(client: ApolloClient, authorization: string, storage: Storage) {
  const account = await digestStringAsync(CryptoDigestAlgorithm.SHA256, callerOf(authorization));
  const queue = await openQueue(account, storage);
  return { queue, sender: createSender(pushBy(client), queue, phone) };
}

/** The outbox of the app, with its writes and its sender as they are now. */
export function useOutbox() {
  const { queue, sender } = useSession().outbox;
  const writes = useSyncExternalStore(queue.subscribe, queue.current);
  const state = useSyncExternalStore(sender.subscribe, sender.current);
  return { queue, sender, writes, state };
}
