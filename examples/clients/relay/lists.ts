import { graphql } from 'relay-runtime';

// The documents of ../caches/documents.ts as Relay takes them. `__id` names a list in the store.

graphql`
  fragment lists_farmer on Farmer {
    id
    name
    first_name
    buyer {
      id
      name
    }
  }
`;

graphql`
  fragment lists_purchase on ProductTransaction {
    id
    created_on
    type
    current_quantity
    source_id
    destination_id
    product_id
    source {
      id
      name
    }
    product {
      id
      name
    }
    transaction_payments {
      id
      amount
    }
  }
`;

graphql`
  fragment lists_payment on PaymentTransaction {
    id
    created_on
    payment_type
    amount
    invoice
  }
`;

graphql`
  fragment lists_card on EntityCard {
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

graphql`
  query listsFarmersQuery($first: Int, $after: String, $first_name: String) {
    farmers(first: $first, after: $after, first_name: $first_name)
      @connection(key: "lists_farmers", filters: ["first_name"]) {
      __id
      count
      edges {
        node {
          ...lists_farmer @relay(mask: false)
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`;

graphql`
  query listsFarmerTableQuery($limit: Int, $offset: Int) {
    farmers(limit: $limit, offset: $offset) {
      __id
      count
      results {
        ...lists_farmer @relay(mask: false)
      }
    }
  }
`;

graphql`
  query listsPurchasesQuery($first: Int, $after: String, $quantity_available: Boolean) {
    productTransactions(first: $first, after: $after, quantity_available: $quantity_available)
      @connection(key: "lists_productTransactions", filters: ["quantity_available"]) {
      __id
      count
      edges {
        node {
          ...lists_purchase @relay(mask: false)
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`;

graphql`
  query listsPurchaseTableQuery($limit: Int, $offset: Int) {
    productTransactions(limit: $limit, offset: $offset) {
      __id
      count
      results {
        ...lists_purchase @relay(mask: false)
      }
    }
  }
`;

graphql`
  query listsPaymentsQuery($first: Int, $after: String) {
    paymentTransactions(first: $first, after: $after) @connection(key: "lists_paymentTransactions") {
      __id
      count
      edges {
        node {
          ...lists_payment @relay(mask: false)
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`;

graphql`
  query listsCardsQuery($first: Int, $after: String) {
    entityCards(first: $first, after: $after) @connection(key: "lists_entityCards") {
      __id
      count
      edges {
        node {
          ...lists_card @relay(mask: false)
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`;

graphql`
  query listsFarmerQuery($id: ID!) {
    farmer(id: $id) {
      id
      name
      entity_card {
        ...lists_card @relay(mask: false)
      }
    }
  }
`;

graphql`
  query listsFarmerTradeQuery($id: ID!) {
    farmer(id: $id) {
      id
      productTransactions(limit: 4) {
        __id
        results {
          ...lists_purchase @relay(mask: false)
        }
      }
    }
  }
`;

graphql`
  query listsCompanyStockQuery($id: ID!) {
    company(id: $id) {
      id
      productTransactions(limit: 4, quantity_available: true) {
        __id
        results {
          ...lists_purchase @relay(mask: false)
        }
      }
    }
  }
`;

graphql`
  query listsCompanyQuery($id: ID!) {
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
      forms {
        id
      }
    }
  }
`;

graphql`
  mutation listsCreateFarmerMutation($input: CreateFarmerInput!) {
    createFarmer(input: $input) {
      ...lists_farmer
    }
  }
`;

graphql`
  mutation listsCreateProductTransactionMutation($input: CreateProductTransactionInput!) {
    createProductTransaction(input: $input) {
      ...lists_purchase
      parents {
        id
        current_quantity
        source_id
        destination_id
        product_id
      }
    }
  }
`;

graphql`
  query listsSyncQuery($since: DateTime, $after: String) {
    productTransactions(first: 100, after: $after, updated_after: $since) {
      results {
        ...lists_purchase @relay(mask: false)
        parents {
          id
          current_quantity
        }
      }
      next
    }
    serverTime
  }
`;

graphql`
  mutation listsCreatePaymentTransactionMutation($input: CreatePaymentTransactionInput!) {
    createPaymentTransaction(input: $input) {
      ...lists_payment
      transaction {
        id
        transaction_payments {
          id
          amount
        }
      }
    }
  }
`;

graphql`
  mutation listsCreateEntityCardMutation($input: CreateEntityCardInput!) {
    createEntityCard(input: $input) {
      ...lists_card
    }
  }
`;

graphql`
  mutation listsCreateCompanyMemberMutation($input: CreateCompanyMemberInput!) {
    createCompanyMember(input: $input) {
      id
      company {
        id
        member_ids
      }
    }
  }
`;

graphql`
  mutation listsCreateFormMutation($input: CreateFormInput!) {
    createForm(input: $input) {
      id
      owner {
        id
        forms {
          id
        }
      }
    }
  }
`;

graphql`
  mutation listsCreatePremiumMutation($input: CreatePremiumInput!) {
    createPremium(input: $input) {
      id
      owner {
        id
        owned_premiums
      }
    }
  }
`;

graphql`
  mutation listsUpdateCompanyMutation($id: ID!, $input: UpdateCompanyInput!) {
    updateCompany(id: $id, input: $input) {
      id
      name
    }
  }
`;

graphql`
  mutation listsUploadInvoiceMutation($payment: ID!, $invoice: Upload!) {
    uploadInvoice(payment_transaction: $payment, invoice: $invoice) {
      id
      invoice
    }
  }
`;

graphql`
  mutation listsPushMutation($writes: [WriteInput!]!) {
    push(writes: $writes) {
      key
      status
      object {
        ...lists_farmer @alias
        ...lists_purchase @alias
        ...lists_payment @alias
        ...lists_card @alias
      }
      error {
        code
        message
      }
    }
  }
`;
