import type { operations } from '../generated/rest-service.ts';

export type EndpointName = keyof operations;

export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH';
  /** Below the base URL; `{hashid}` stands for the id. */
  path: string;
  /** Filter arguments of the graph → the service's query parameters. Settings can rename the parameters. */
  filters?: Readonly<Record<string, string>>;
}

/** A row of a product transaction costs the real service 20 ms, so long lists are read in pages of this size, in parallel. */
export const pageSize = 100;

/**
 * The 23 endpoints of the REST service, in the order of its specification. The specification does not show the names
 * of the filters of products, currencies and product transactions: those are the ones that real deployments take.
 */
export const endpoints = {
  listFarmers: {
    method: 'GET',
    path: '/supply-chains/farmers/',
    filters: {
      first_name: 'first_name',
      last_name: 'last_name',
      number: 'number',
      updated_after: 'updated_after',
      created_after: 'created_after',
    },
  },
  createFarmer: { method: 'POST', path: '/supply-chains/farmers/' },
  getFarmer: { method: 'GET', path: '/supply-chains/farmers/{hashid}/' },

  createCompany: { method: 'POST', path: '/supply-chains/companies/' },
  getCompany: { method: 'GET', path: '/supply-chains/companies/{hashid}/' },
  updateCompany: { method: 'PATCH', path: '/supply-chains/companies/{hashid}/' },

  createCompanyMember: { method: 'POST', path: '/supply-chains/company-members/' },

  getUser: { method: 'GET', path: '/accounts/users/{hashid}/' },
  updateUser: { method: 'PATCH', path: '/accounts/users/{hashid}/' },

  createEntityCard: { method: 'POST', path: '/supply-chains/entity-cards/' },
  listEntityCards: { method: 'GET', path: '/supply-chains/entity-cards/' },

  listProducts: {
    method: 'GET',
    path: '/catalogs/products/',
    filters: { name: 'name', description: 'description', updated_after: 'updated_after' },
  },
  listCards: { method: 'GET', path: '/catalogs/connect-cards/' },
  listCurrencies: { method: 'GET', path: '/catalogs/currencies/', filters: { search: 'search' } },
  createPremium: { method: 'POST', path: '/catalogs/premiums/' },

  createForm: { method: 'POST', path: '/forms/forms/' },

  createProductTransaction: { method: 'POST', path: '/transactions/product-transactions/' },
  listProductTransactions: {
    method: 'GET',
    path: '/transactions/product-transactions/',
    filters: {
      updated_after: 'updated_after',
      created_after: 'created_after',
      updated_before: 'updated_before',
      quantity_available: 'only_quantity_available',
    },
  },
  getProductTransaction: { method: 'GET', path: '/transactions/product-transactions/{hashid}/' },

  createPaymentTransaction: { method: 'POST', path: '/transactions/payment-transactions/' },
  listPaymentTransactions: { method: 'GET', path: '/transactions/payment-transactions/' },
  getPaymentTransaction: { method: 'GET', path: '/transactions/payment-transactions/{hashid}/' },
  uploadInvoice: { method: 'PATCH', path: '/transactions/payment-transactions/{hashid}/invoice/' },
} as const satisfies Record<EndpointName, Endpoint>;

type Answers<O extends EndpointName> = operations[O]['responses'][keyof operations[O]['responses']];

/** The documented body of a success answer. */
export type EndpointResponse<O extends EndpointName> =
  Answers<O> extends { content: { 'application/json': infer Body } } ? Body : never;

/** The operations that answer a page of rows. */
export type ListEndpointName = {
  [O in EndpointName]: EndpointResponse<O> extends { count: number; results: unknown[] } ? O : never;
}[EndpointName];

/** The rows that a list operation answers. */
export type ListRow<O extends ListEndpointName> = EndpointResponse<O> extends { results: (infer R)[] } ? R : never;
