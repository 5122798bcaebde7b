import AsyncStorage from '@react-native-async-storage/async-storage';
import { createApollo } from './apollo.ts';
import { openOutbox } from './outbox/open-outbox.ts';
import type { Storage } from './outbox/queue.ts';
import type { Session } from './session.tsx';

/** Version 2, which Expo brings, and version 3 both have it. `expo-sqlite/kv-store` may take its place. */
const storage: Storage = AsyncStorage;
/** An app for users keeps it in the keychain of the device. */
const keyName = 'authorization';

let open: Promise<Session> | undefined;

/** The session of a key, from now on also after a restart. */
export function openSession(authorization: string): Promise<Session> {
  open = (async () => {
    await storage.setItem(keyName, authorization);
    const client = createApollo(authorization);
    return { authorization, client, outbox: await openOutbox(client, authorization, storage) };
  })();
  return open;
}

/** The session that is open, or that of the last start. Undefined if nobody has signed in. */
export async function openSavedSession(): Promise<Session | undefined> {
  if (open) return open;
  const authorization = await storage.getItem(keyName);
  return authorization ? openSession(authorization) : undefined;
}

export async function closeSession(): Promise<void> {
  open = undefined;
  await storage.setItem(keyName, '');
}
