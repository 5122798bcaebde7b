import { ApolloProvider } from '@apollo/client/react';
import { StrictMode, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createClient } from './client.ts';
import { FarmerPage } from './farmer-page.tsx';
import { FarmersPage } from './farmers-page.tsx';
import { useHash } from './hash.ts';
import { SignIn } from './sign-in.tsx';

const storageKey = 'api-key';

function App() {
  const [apiKey, setApiKey] = useState(() => sessionStorage.getItem(storageKey));
  const client = useMemo(() => (apiKey ? createClient(apiKey) : undefined), [apiKey]);
  const [page, id] = useHash();

  function signIn(key: string) {
    sessionStorage.setItem(storageKey, key);
    setApiKey(key);
  }
  function signOut() {
    sessionStorage.removeItem(storageKey);
    setApiKey(null);
  }

  if (!client) return <SignIn onKey={signIn} />;
  return (
    <ApolloProvider client={client}>
      <header>
        <a href="#/">Farmers</a>
        <button type="button" onClick={signOut}>
          Sign out
        </button>
      </header>
      <main>{page === 'farmers' && id ? <FarmerPage key={id} id={id} /> : <FarmersPage />}</main>
    </ApolloProvider>
  );
}

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
