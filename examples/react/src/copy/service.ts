import type { ApolloClient } from '@apollo/client';
import { failuresOf } from '../failure.ts';
import { graphql } from '../gql';
import type { TransactionChangesQuery } from '../gql/graphql.ts';
import type { Service } from './sync.ts';

export type CopiedTransaction = NonNullable<TransactionChangesQuery['productTransactions']>['results'][number];

/** Only some services mark deleted rows. Others refuse `reverse_sync`, which is null for them. */
const ChangesDocument = graphql(`
  query TransactionChanges($after: String, $since: DateTime, $deleted: Boolean) {
    serverTime
    productTransactions(first: 100, after: $after, updated_after: $since, reverse_sync: $deleted) {
      results {
        id
        number
        date
        quantity
        amount
        source_id
        is_deleted
      }
      next
    }
  }
`);

/** One call for one row. */
const CountDocument = graphql(`
  query TransactionCount {
    productTransactions {
      count
    }
  }
`);

const IdsDocument = graphql(`
  query TransactionIds($after: String) {
    productTransactions(first: 1000, after: $after) {
      results {
        id
      }
      next
    }
  }
`);

/** The product transactions of the gateway. */
export function transactionService(client: ApolloClient): Service<CopiedTransaction> {
  // Each answer goes into the copy, so the cache of the client needs none of them.
  const options = { fetchPolicy: 'no-cache', errorPolicy: 'all' } as const;
  return {
    async changes({ deleted, ...asked }) {
      const variables = { ...asked, deleted: deleted || null };
      const { data, error } = await client.query({ query: ChangesDocument, variables, ...options });
      const { results, next } = data?.productTransactions ?? {};
      return {
        ...(results && { rows: results }),
        next: next ?? null,
        serverTime: data?.serverTime ?? '',
        failures: failuresOf(error),
      };
    },
    async count() {
      const { data, error } = await client.query({ query: CountDocument, ...options });
      const count = data?.productTransactions?.count;
      return { ...(count !== undefined && { count }), failures: failuresOf(error) };
    },
    async ids(after) {
      const { data, error } = await client.query({ query: IdsDocument, variables: { after }, ...options });
      const { results = [], next = null } = data?.productTransactions ?? {};
      return { ids: results.map(({ id }) => id), next: next ?? null, failures: failuresOf(error) };
    },
  };
}
