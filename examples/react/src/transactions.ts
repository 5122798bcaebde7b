import type { ApolloCache } from '@apollo/client';
import { graphql } from './gql';
import type { TransactionRowFragment } from './gql/graphql.ts';

/** Everything comes with the rows, except the product: the gateway reads the list of products once for all rows. */
export const TransactionRow = graphql(`
  fragment TransactionRow on ProductTransaction {
    id
    number
    date
    source_id
    quantity
    amount
    currency {
      id
      code
    }
    product {
      id
      name
    }
    transaction_payments {
      id
      payment_type
      amount
      premium {
        id
        name
      }
    }
  }
`);

export const TransactionsDocument = graphql(`
  query Transactions($after: String) {
    productTransactions(first: 100, after: $after) {
      count
      edges {
        node {
          ...TransactionRow
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

/** The service lists the newest first, so a new transaction goes on top without another request. */
export function putOnTop(cache: ApolloCache, transaction: TransactionRowFragment | null | undefined): void {
  if (!transaction) return;
  cache.updateQuery({ query: TransactionsDocument }, (read) => {
    const list = read?.productTransactions;
    if (!list) return undefined;
    const edge = { __typename: 'ProductTransactionEdge' as const, node: transaction };
    return { ...read, productTransactions: { ...list, count: list.count + 1, edges: [edge, ...list.edges] } };
  });
}
