import { graphql } from 'relay-runtime';

// relay-compiler reads these and writes __generated__, which ../relay.ts imports. In a page, the Relay plugin of its
// bundler makes each literal that import.

graphql`
  query documentsFarmersQuery($first: Int!, $after: String) {
    farmers(first: $first, after: $after) @connection(key: "documents_farmers") {
      edges {
        node {
          id
          name
        }
      }
      pageInfo {
        endCursor
      }
    }
  }
`;

// The form that usePaginationFragment of react-relay takes.
graphql`
  fragment documents_farmers on Query
  @argumentDefinitions(first: { type: "Int", defaultValue: 20 }, after: { type: "String" })
  @refetchable(queryName: "documentsFarmersPageQuery") {
    farmers(first: $first, after: $after) @connection(key: "documents_farmers") {
      edges {
        node {
          id
          name
        }
      }
    }
  }
`;

graphql`
  query documentsPurchaseQuery($id: ID!) {
    productTransaction(id: $id) {
      id
      current_quantity
      destination {
        __typename
        id
        name
      }
    }
  }
`;

graphql`
  mutation documentsRenameMutation($id: ID!, $input: UpdateCompanyInput!) {
    updateCompany(id: $id, input: $input) {
      id
      name
    }
  }
`;

graphql`
  mutation documentsShipMutation($input: CreateProductTransactionInput!) {
    createProductTransaction(input: $input) {
      id
      parents {
        id
        current_quantity
      }
    }
  }
`;
