import { ApolloProvider } from '@apollo/client/react';
import { cleanup, configure, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { startGateway } from 'traceability-graphql-gateway/testing';
import 'traceability-graphql-gateway/testing/vitest';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import { createClient } from '../src/client.ts';

// A busy machine takes longer than the second that Testing Library waits.
configure({ asyncUtilTimeout: 10_000 });

/** A gateway for the tests of a file, over a service with these rows. Each test begins with them. */
export const gateway = await startGateway({
  now: '2026-03-01T12:00:00Z',
  seed: {
    farmers: [
      { id: 'AMA', first_name: 'Ama', last_name: 'Mensah', city: 'Kumasi' },
      { id: 'KOFI', first_name: 'Kofi', last_name: 'Boateng' },
    ],
    products: [{ name: 'Cocoa' }],
    productTransactions: [{ source: 'AMA', number: 'P-1', quantity: '62.5' }],
  },
});

beforeEach(() => {
  vi.stubGlobal('fetch', gateway.fetch);
});
afterEach(async () => {
  cleanup();
  await gateway.reset();
});
afterAll(() => gateway.stop());

/** Shows a page as the app does, with an empty cache. */
export function show(page: ReactNode): void {
  render(<ApolloProvider client={createClient('demo-coop')}>{page}</ApolloProvider>);
}
