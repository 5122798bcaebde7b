import { ApolloProvider } from '@apollo/client/react';
import { StrictMode, Suspense, use, useEffect, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { loadChoices, useChoices } from './choices.ts';
import { createClient } from './client.ts';
import { CopyContext, openSyncedCopy } from './copy/use-copy.ts';
import { CopyPage } from './copy-page.tsx';
import { FarmerPage } from './farmer-page.tsx';
import { FarmersPage } from './farmers-page.tsx';
import { useHash } from './hash.ts';
import { NewFarmerPage } from './new-farmer-page.tsx';
import { accountOf } from './outbox/account.ts';
import { OutboxContext, openOutbox, useOutbox } from './outbox/use-outbox.ts';
import { OutboxPage } from './outbox-page.tsx';
import { SignIn } from './sign-in.tsx';

const storageKey = 'api-key';

function App() {
  const [apiKey, setApiKey] = useState(() => sessionStorage.getItem(storageKey));
  const session = useMemo(() => (apiKey ? openSession(apiKey) : undefined), [apiKey]);

  function signIn(key: string) {
    sessionStorage.setItem(storageKey, key);
    setApiKey(key);
  }
  function signOut() {
    sessionStorage.removeItem(storageKey);
    setApiKey(null);
  }

  if (!session) return <SignIn onKey={signIn} />;
  return (
    <Suspense fallback={<p role="status">Loading…</p>}>
      <SignedIn session={session} onSignOut={signOut} />
    </Suspense>
  );
}

async function openSession(apiKey: string) {
  const client = createClient(apiKey);
  const account = await accountOf(apiKey);
  // Without a network, what the last start has read counts.
  loadChoices(client, account).catch(() => undefined);
  const [outbox, copy] = await Promise.all([openOutbox(client, account), openSyncedCopy(client, account)]);
  return { client, outbox, copy };
}

interface SignedInProps {
  session: ReturnType<typeof openSession>;
  onSignOut: () => void;
}

function SignedIn({ session, onSignOut }: SignedInProps) {
  const { client, outbox, copy } = use(session);
  useEffect(() => outbox.sender.start(), [outbox]);
  return (
    <ApolloProvider client={client}>
      <OutboxContext value={outbox}>
        <CopyContext value={copy}>
          <Pages onSignOut={onSignOut} />
        </CopyContext>
      </OutboxContext>
    </ApolloProvider>
  );
}

function Pages({ onSignOut }: Pick<SignedInProps, 'onSignOut'>) {
  const [page, id] = useHash();
  const { writes } = useOutbox();
  const open = writes.filter(({ state }) => state !== 'done').length;
  const { ready } = useChoices();
  return (
    <>
      <header>
        <nav>
          <a href="#/">Farmers</a> <a href="#/new-farmer">New farmer</a>{' '}
          <a href="#/outbox">Outbox{open > 0 && ` (${open})`}</a> <a href="#/copy">On this device</a>
        </nav>
        {ready && <span>Ready for work without a network</span>}
        <button type="button" onClick={onSignOut}>
          Sign out
        </button>
      </header>
      <main>
        {page === 'farmers' && id ? (
          <FarmerPage key={id} id={id} />
        ) : page === 'new-farmer' ? (
          <NewFarmerPage />
        ) : page === 'outbox' ? (
          <OutboxPage />
        ) : page === 'copy' ? (
          <CopyPage />
        ) : (
          <FarmersPage />
        )}
      </main>
    </>
  );
}

// The development server has no file for the service worker to keep.
if (import.meta.env.PROD) void navigator.serviceWorker?.register('/sw.js');

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
