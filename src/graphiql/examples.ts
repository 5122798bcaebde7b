/** One tab of the editor. `query` is a document of one operation, `variables` its JSON text. */
export interface Example {
  query: string;
  variables?: string;
}

const listWithReferences: Example = {
  query: `# A list with what its rows refer to.
# Ctrl-Enter runs it (Cmd-Enter on a Mac).
#
# "source" is the object, "source_id" its bare id, which
# costs no call. Hover over a field to read what it costs.

query TransactionsWithReferences {
  productTransactions(first: 5) {
    count # on all pages
    results {
      id
      number
      date
      quantity
      amount
      currency {
        code
      }
      product {
        name
      }
      source {
        ...Party
      }
      destination {
        ...Party
      }
      transaction_payments {
        payment_type
        amount
        premium {
          name
        }
      }
      parents {
        id
        number
      }
    }
    next # give it as "after" to read on; null on the last page
  }
}

# Farmers and companies: whoever can hold a product.
fragment Party on Entity {
  __typename
  id
  name
  ... on Farmer {
    entity_card {
      card {
        display_id
      }
    }
  }
  ... on Company {
    sell_enabled
  }
}
`,
};

const transactionCreated: Example = {
  query: `# A farmer delivers to the cooperative, and what was
# created is read back in the same request.
#
# The ids under "Variables" are those of the sandbox. Over
# a real service put ids of yours there; the tab "Search"
# finds some.

mutation CreateTransaction($input: CreateProductTransactionInput!) {
  createProductTransaction(input: $input) {
    id
    number
    type # as the company of your key sees it
    quantity
    amount
    currency {
      code
    }
    source {
      name
    }
    destination {
      name
    }
    product {
      name
    }
    transaction_payments {
      id
      payment_type
      amount
    }
  }
}
`,
  variables: JSON.stringify(
    {
      input: {
        source: 'D2YW477Q65',
        destination: 'J7VY4SD9HV',
        product: 'KUBSEUU5J8',
        quantity: '120.500',
        amount: '469.950',
        currency: '5BND77JEZS',
        date: '2026-07-01T07:30:00Z',
        invoice_number: 'INV-2026-118',
      },
    },
    null,
    2,
  ),
};

const search: Example = {
  query: `# Several lists in one request, fetched side by side. The
# terms are under "Variables"; case does not matter.
#
# A list takes limit and offset, or first and after.
# Without them it gives 20 rows.

query Search($first_name: String, $currency: String) {
  farmers(first_name: $first_name, limit: 10) {
    count
    results {
      id
      name
      number
      consent_status
      city
      buyer {
        id
        name
      }
    }
  }
  currencies(search: $currency) {
    results {
      id
      code
      name
    }
  }
  products(limit: 5) {
    results {
      id
      name
    }
  }
}
`,
  variables: JSON.stringify({ first_name: 'vestine', currency: 'dollar' }, null, 2),
};

/** What the page opens with when its user has no tabs of their own. */
export const examples: readonly Example[] = [listWithReferences, transactionCreated, search];
