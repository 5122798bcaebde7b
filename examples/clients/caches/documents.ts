// A mutation asks for all that a list shows of the row. If a field is missing, Relay shows a hole, and the other two
// read the whole list again.

const farmerRow = /* GraphQL */ `
  fragment FarmerRow on Farmer {
    id
    name
    first_name
    buyer { id name }
  }
`;

const purchaseRow = /* GraphQL */ `
  fragment PurchaseRow on ProductTransaction {
    id
    created_on
    type
    current_quantity
    source_id
    destination_id
    product_id
    source { id name }
    product { id name }
    transaction_payments {
      id
      amount
    }
  }
`;

const paymentRow = /* GraphQL */ `
  fragment PaymentRow on PaymentTransaction {
    id
    created_on
    payment_type
    amount
    invoice
  }
`;

const cardRow = /* GraphQL */ `
  fragment CardRow on EntityCard {
    id
    created_on
    is_active
    entity_id
    card {
      id
      card_id
    }
  }
`;

export const documents = {
  farmers: /* GraphQL */ `
    query Farmers($first: Int, $after: String, $first_name: String) {
      farmers(first: $first, after: $after, first_name: $first_name) {
        count
        edges { node { ...FarmerRow } }
        pageInfo { hasNextPage endCursor }
      }
    }
    ${farmerRow}
  `,

  /** One page of a table with page numbers. */
  farmerTable: /* GraphQL */ `
    query FarmerTable($limit: Int, $offset: Int) {
      farmers(limit: $limit, offset: $offset) {
        count
        results { ...FarmerRow }
      }
    }
    ${farmerRow}
  `,

  purchases: /* GraphQL */ `
    query Purchases($first: Int, $after: String, $quantity_available: Boolean) {
      productTransactions(first: $first, after: $after, quantity_available: $quantity_available) {
        count
        edges { node { ...PurchaseRow } }
        pageInfo { hasNextPage endCursor }
      }
    }
    ${purchaseRow}
  `,

  purchaseTable: /* GraphQL */ `
    query PurchaseTable($limit: Int, $offset: Int) {
      productTransactions(limit: $limit, offset: $offset) {
        count
        results { ...PurchaseRow }
      }
    }
    ${purchaseRow}
  `,

  payments: /* GraphQL */ `
    query Payments($first: Int, $after: String) {
      paymentTransactions(first: $first, after: $after) {
        count
        edges { node { ...PaymentRow } }
        pageInfo { hasNextPage endCursor }
      }
    }
    ${paymentRow}
  `,

  cards: /* GraphQL */ `
    query Cards($first: Int, $after: String) {
      entityCards(first: $first, after: $after) {
        count
        edges { node { ...CardRow } }
        pageInfo { hasNextPage endCursor }
      }
    }
    ${cardRow}
  `,

  farmer: /* GraphQL */ `
    query Farmer($id: ID!) {
      farmer(id: $id) {
        id
        name
        entity_card {
          ...CardRow
        }
      }
    }
    ${cardRow}
  `,

  /** The newest transactions of a farmer, as a field of the farmer. */
  farmerTrade: /* GraphQL */ `
    query FarmerTrade($id: ID!) {
      farmer(id: $id) {
        id
        productTransactions(limit: 4) {
          results { ...PurchaseRow }
        }
      }
    }
    ${purchaseRow}
  `,

  /** The newest goods that a company has. */
  companyStock: /* GraphQL */ `
    query CompanyStock($id: ID!) {
      company(id: $id) {
        id
        productTransactions(limit: 4, quantity_available: true) {
          results { ...PurchaseRow }
        }
      }
    }
    ${purchaseRow}
  `,

  company: /* GraphQL */ `
    query Company($id: ID!) {
      company(id: $id) {
        id
        name
        member_ids
        creator {
          id
          email
        }
        email
        owned_premiums
        forms { id }
      }
    }
  `,

  createFarmer: /* GraphQL */ `
    mutation CreateFarmer($input: CreateFarmerInput!) {
      createFarmer(input: $input) {
        ...FarmerRow
      }
    }
    ${farmerRow}
  `,

  /** The changes since the last sync. The row of a sale made elsewhere shows what is left of its parents. */
  sync: /* GraphQL */ `
    query Sync($since: DateTime, $after: String) {
      productTransactions(first: 100, after: $after, updated_after: $since) {
        results {
          ...PurchaseRow
          parents {
            id
            current_quantity
          }
        }
        next
      }
      serverTime
    }
    ${purchaseRow}
  `,

  /** The transaction takes the goods of its parents, whose rows change too. One GET for each. */
  createProductTransaction: /* GraphQL */ `
    mutation CreateProductTransaction($input: CreateProductTransactionInput!) {
      createProductTransaction(input: $input) {
        ...PurchaseRow
        parents {
          id
          current_quantity
          source_id
          destination_id
          product_id
        }
      }
    }
    ${purchaseRow}
  `,

  /** The payment is part of its transaction too. One GET. */
  createPaymentTransaction: /* GraphQL */ `
    mutation CreatePaymentTransaction($input: CreatePaymentTransactionInput!) {
      createPaymentTransaction(input: $input) {
        ...PaymentRow
        transaction {
          id
          transaction_payments {
            id
            amount
          }
        }
      }
    }
    ${paymentRow}
  `,

  createEntityCard: /* GraphQL */ `
    mutation CreateEntityCard($input: CreateEntityCardInput!) {
      createEntityCard(input: $input) {
        ...CardRow
      }
    }
    ${cardRow}
  `,

  /** The three objects that belong to a company change that company. One GET. */
  createCompanyMember: /* GraphQL */ `
    mutation CreateCompanyMember($input: CreateCompanyMemberInput!) {
      createCompanyMember(input: $input) {
        id
        company {
          id
          member_ids
        }
      }
    }
  `,
  createForm: /* GraphQL */ `
    mutation CreateForm($input: CreateFormInput!) {
      createForm(input: $input) {
        id
        owner {
          id
          forms { id }
        }
      }
    }
  `,
  createPremium: /* GraphQL */ `
    mutation CreatePremium($input: CreatePremiumInput!) {
      createPremium(input: $input) {
        id
        owner {
          id
          owned_premiums
        }
      }
    }
  `,

  updateCompany: /* GraphQL */ `
    mutation UpdateCompany($id: ID!, $input: UpdateCompanyInput!) {
      updateCompany(id: $id, input: $input) {
        id
        name
      }
    }
  `,

  uploadInvoice: /* GraphQL */ `
    mutation UploadInvoice($payment: ID!, $invoice: Upload!) {
      uploadInvoice(payment_transaction: $payment, invoice: $invoice) {
        id
        invoice
      }
    }
  `,

  push: /* GraphQL */ `
    mutation Push($writes: [WriteInput!]!) {
      push(writes: $writes) {
        key
        status
        object {
          ...FarmerRow
          ...PurchaseRow
          ...PaymentRow
          ...CardRow
        }
        error {
          code
          message
        }
      }
    }
    ${farmerRow}
    ${purchaseRow}
    ${paymentRow}
    ${cardRow}
  `,
};
