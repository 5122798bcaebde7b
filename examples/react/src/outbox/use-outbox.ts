import type { ApolloClient } from '@apollo/client';
import { createContext, use, useSyncExternalStore } from 'react';
import { browser } from './browser.ts';
import { pushBy } from './push.ts';
import { openQueue } from './queue.ts';
import { createSender } from './sender.ts';

export type Outbox = Awaited<ReturnType<typeof openOutbox>>;

/** The queue of an account, and what sends it. */
export async function openOutbox(client: ApolloClient, account: string) {
  const queue = await openQueue(account);
  return { queue, sender: createSender(pushBy(client), queue, browser) };
}

export const OutboxContext = createContext<Outbox | undefined>(undefined);

/** The outbox of the page, with its writes and its sender as they are now. */
export function useOutbox() {
  const outbox = use(OutboxContext);
  if (!outbox) throw new Error('OutboxContext has no outbox above this component.');
  const { queue, sender } = outbox;
  const writes = useSyncExternalStore(queue.subscribe, queue.current);
  const state = useSyncExternalStore(sender.subscribe, sender.current);
  return { queue, sender, writes, state };
}
