import { graphql } from 'relay-runtime';

// Reading throws where the answer has an error. The types of fields with @semanticNonNull therefore have no `null`.
graphql`
  query typesPurchaseQuery($id: ID!) @throwOnFieldError {
    productTransaction(id: $id) {
      amount
      currency {
        code
      }
      source {
        name
      }
    }
  }
`;
