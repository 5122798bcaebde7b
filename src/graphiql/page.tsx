import { GraphiQL } from 'graphiql';
import { createRoot } from 'react-dom/client';
import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import { examples } from './examples.ts';
import { fetcher } from './fetcher.ts';
import './page.css';
import { storageWithoutHeaders } from './storage.ts';

const config: { headers: Record<string, string> } = JSON.parse(
  document.getElementById('graphiql-config')?.textContent || '{"headers":{}}',
);
const defaultHeaders = JSON.stringify({ Authorization: '', ...config.headers }, null, 2);
const storage = storageWithoutHeaders(defaultHeaders);

createRoot(document.getElementById('graphiql')!).render(
  <GraphiQL
    fetcher={fetcher}
    storage={storage}
    defaultHeaders={defaultHeaders}
    defaultTabs={[...examples]}
    shouldPersistHeaders={false}
    inputValueDeprecation
    schemaDescription
  >
    <GraphiQL.Logo>Traceability gateway</GraphiQL.Logo>
  </GraphiQL>,
);
