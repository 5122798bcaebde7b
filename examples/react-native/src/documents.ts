import { graphql } from './gql/index.ts';

export const FarmersDocument = graphql(`
  query Farmers($after: String) {
    farmers(first: 20, after: $after) {
      count
      edges {
        node {
          id
          name
          image
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

/** Answers with the payment: the cache needs only its id and its new invoice. */
export const UploadInvoiceDocument = graphql(`
  mutation UploadInvoice($payment: ID!, $invoice: Upload!) {
    uploadInvoice(payment_transaction: $payment, invoice: $invoice) {
      id
      invoice
    }
  }
`);
