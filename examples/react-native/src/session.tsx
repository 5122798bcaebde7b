import type { ApolloClient } from '@apollo/client';
import { createContext, use } from 'react';
import type { Outbox } from './outbox/open-outbox.ts';

export interface Session {
  /** The `Authorization` of all requests, of pictures too. */
  authorization: string;
  client: ApolloClient;
  outbox: Outbox;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('SessionContext has no session above this component.');
  return session;
}
