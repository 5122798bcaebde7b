import '../src/crypto.ts';
import { type AddressInfo, createServer } from 'node:net';
import { Platform } from 'react-native';
import { createApollo } from '../src/apollo.ts';
import { FarmersDocument } from '../src/documents.ts';
import { developerMachine } from '../src/gateway.ts';
import { createUrql } from '../src/urql.ts';
import { url } from './gateway.ts';

test('fetch is that of React Native', () => {
  expect(fetch).toHaveProperty('polyfill', true);
});

test('the gateway is where this device has the machine of the developer', () => {
  expect(developerMachine).toBe(Platform.OS === 'android' ? '10.0.2.2' : 'localhost');
});

test('Apollo Client reads a page', async () => {
  const { data } = await createApollo('demo-coop', url).query({ query: FarmersDocument });
  expect(data?.farmers?.edges).toHaveLength(20);
});

test('urql reads a page', async () => {
  const { data, error } = await createUrql('demo-coop', url).query(FarmersDocument, {}).toPromise();
  expect(error).toBeUndefined();
  expect(data?.farmers?.edges).toHaveLength(20);
});

test('both clients get the code of a refused key', async () => {
  const apollo = await createApollo('nobody', url).query({
    query: FarmersDocument,
    errorPolicy: 'all',
    fetchPolicy: 'no-cache',
  });
  const urql = await createUrql('nobody', url).query(FarmersDocument, {}).toPromise();
  expect(apollo.error).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  expect(urql.error?.graphQLErrors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
});

test('a request ends by AbortSignal.timeout', async () => {
  const silent = createServer().listen(0);
  const { port } = silent.address() as AddressInfo;
  await expect(fetch(`http://localhost:${port}`, { signal: AbortSignal.timeout(10) })).rejects.toThrow('Aborted');
  silent.close();
});
