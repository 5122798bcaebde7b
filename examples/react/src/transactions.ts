import { graphql } from './gql';

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
