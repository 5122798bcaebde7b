import { ids } from './gateway.ts';

export interface FarmersPage {
  farmers: {
    edges: { node: { id: string; name: string | null } }[];
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  } | null;
}

export const farmersPage = /* GraphQL */ `
  query FarmersPage($first: Int!, $after: String) {
    farmers(first: $first, after: $after) {
      edges {
        node {
          id
          name
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`;

export interface CreateFarmer {
  createFarmer: { id: string; name: string | null } | null;
}

export const createFarmer = /* GraphQL */ `
  mutation CreateFarmer($input: CreateFarmerInput!) {
    createFarmer(input: $input) {
      id
      name
    }
  }
`;

export interface Purchase {
  productTransaction: {
    id: string;
    current_quantity: string | null;
    destination: { __typename: string; id: string; name: string | null } | null;
  } | null;
}

export const purchase = /* GraphQL */ `
  query Purchase($id: ID!) {
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

/** Changes the company that `purchase` shows as an Entity. */
export const rename = /* GraphQL */ `
  mutation Rename($id: ID!, $input: UpdateCompanyInput!) {
    updateCompany(id: $id, input: $input) {
      id
      name
    }
  }
`;

export const newName = { id: ids.cooperative, input: { name: 'Sankofa' } };

/** Passes on the bought goods: nothing is left of the quantity, and the answer says so. */
export const ship = /* GraphQL */ `
  mutation Ship($input: CreateProductTransactionInput!) {
    createProductTransaction(input: $input) {
      id
      parents {
        id
        current_quantity
      }
    }
  }
`;

export const shipment = {
  input: {
    source: ids.cooperative,
    destination: ids.buyer,
    product: ids.product,
    currency: ids.currency,
    quantity: '327.452',
    amount: '1200.000',
    parents: [ids.purchase],
  },
};

/** The names of farmers first, their buyers later. */
export const lateBuyers = `query LateBuyers {
  farmers(first: 2) { results { id name ... @defer { buyer { id name } } } }
}`;
