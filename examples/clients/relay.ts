import relay, {
  type GraphQLResponse,
  type GraphQLTaggedNode,
  type MutationParameters,
  type OperationType,
} from 'relay-runtime';
import { getDataID } from './caches/relay.ts';
import { newName, shipment } from './documents.ts';
import { headers, ids, url } from './gateway.ts';
import farmersQuery, { type documentsFarmersQuery } from './relay/__generated__/documentsFarmersQuery.graphql.ts';
import purchaseQuery, { type documentsPurchaseQuery } from './relay/__generated__/documentsPurchaseQuery.graphql.ts';
import renameMutation, { type documentsRenameMutation } from './relay/__generated__/documentsRenameMutation.graphql.ts';
import shipMutation, { type documentsShipMutation } from './relay/__generated__/documentsShipMutation.graphql.ts';

// relay-runtime is CommonJS: Node gives its names through the default export.
const { commitMutation, createOperationDescriptor, Environment, fetchQuery, getRequest, Network, RecordSource, Store } =
  relay;

const environment = new Environment({
  network: Network.create(async ({ text }, variables) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json', ...headers },
      body: JSON.stringify({ query: text, variables }),
    });
    return (await response.json()) as GraphQLResponse;
  }),
  store: new Store(new RecordSource()),
  getDataID,
});

/** Reads the data of a query from the store. */
function read<Query extends OperationType>(query: GraphQLTaggedNode, variables: Query['variables']) {
  const { fragment } = createOperationDescriptor(getRequest(query), variables);
  return environment.lookup(fragment).data as Query['response'];
}

function write<Mutation extends MutationParameters>(mutation: GraphQLTaggedNode, variables: Mutation['variables']) {
  return new Promise<unknown>((onCompleted, onError) => {
    commitMutation<Mutation>(environment, { mutation, variables, onCompleted, onError });
  });
}

const firstPage = { first: 2 };
await fetchQuery<documentsFarmersQuery>(environment, farmersQuery, firstPage).toPromise();
const after = read<documentsFarmersQuery>(farmersQuery, firstPage).farmers?.pageInfo.endCursor;
await fetchQuery<documentsFarmersQuery>(environment, farmersQuery, { first: 2, after }).toPromise();
const pages = read<documentsFarmersQuery>(farmersQuery, firstPage);

const variables = { id: ids.purchase };
const before = await fetchQuery<documentsPurchaseQuery>(environment, purchaseQuery, variables).toPromise();
await write<documentsRenameMutation>(renameMutation, newName);
await write<documentsShipMutation>(shipMutation, shipment);
const now = read<documentsPurchaseQuery>(purchaseQuery, variables);
const missing = await fetchQuery<documentsPurchaseQuery>(environment, purchaseQuery, { id: ids.none }).toPromise();

console.log(
  JSON.stringify({
    names: pages.farmers?.edges.map(({ node }) => node.name),
    before: before?.productTransaction,
    now: now.productTransaction,
    missing: missing?.productTransaction,
  }),
);
