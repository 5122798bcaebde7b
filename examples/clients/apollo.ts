import {
  ApolloClient,
  CombinedGraphQLErrors,
  gql,
  HttpLink,
  InMemoryCache,
  type TypedDocumentNode,
} from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import {
  type FarmersPage,
  farmersPage,
  newName,
  type Purchase,
  purchase,
  rename,
  ship,
  shipment,
} from './documents.ts';
import { headers, ids, url } from './gateway.ts';

const client = new ApolloClient({
  link: new HttpLink({ uri: url, headers }),
  clientAwareness: { name: 'apollo-example', version: '1.0.0' },
  cache: new InMemoryCache({ typePolicies: { Query: { fields: { farmers: relayStylePagination() } } } }),
});

const farmersDocument: TypedDocumentNode<FarmersPage> = gql(farmersPage);
const purchaseDocument: TypedDocumentNode<Purchase> = gql(purchase);

const page = await client.query({ query: farmersDocument, variables: { first: 2 } });
const after = page.data?.farmers?.pageInfo.endCursor;
// As fetchMore does in a page, because rows in the cache do not answer the request for more.
const more = { query: farmersDocument, variables: { first: 2, after }, fetchPolicy: 'network-only' } as const;
await client.query(more);
const pages = client.readQuery({ query: farmersDocument });

const variables = { id: ids.purchase };
const before = await client.query({ query: purchaseDocument, variables });
await client.mutate({ mutation: gql(rename), variables: newName });
await client.mutate({ mutation: gql(ship), variables: shipment });
const now = client.readQuery({ query: purchaseDocument, variables });
const missing = await client.query({ query: purchaseDocument, variables: { id: ids.none }, errorPolicy: 'all' });

console.log(
  JSON.stringify({
    names: pages?.farmers?.edges.map(({ node }) => node.name),
    before: before.data?.productTransaction,
    now: now?.productTransaction,
    missing: CombinedGraphQLErrors.is(missing.error) && missing.error.errors.map(({ extensions }) => extensions?.code),
  }),
);
