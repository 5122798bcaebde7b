/** Writes openapi.json for the part of the service that the operations use. */
import { writeFileSync } from 'node:fs';

const string = { type: 'string' };
const text = { type: 'string', nullable: true };
const number = { type: 'number', nullable: true };
const boolean = { type: 'boolean', nullable: true };

const schemas = {
  Card: object({ id: string, card_id: string, ...texts('display_id created_on updated_on creator updater') }),
  EntityCard: object({
    id: string,
    card: ref('Card'),
    entity: text,
    is_active: boolean,
    ...texts('created_on updated_on creator updater'),
  }),
  Currency: object({ id: string, ...texts('name code') }),
  Farmer: object({
    id: string,
    first_name: string,
    ...texts('last_name phone image description house_name street city sub_province province zipcode country number'),
    ...texts('email identification_no reference_number date_of_birth gender consent_status'),
    ...texts('created_on updated_on creator updater buyer'),
    latitude: number,
    longitude: number,
    entity_card: ref('EntityCard'),
  }),
  Company: object({
    id: string,
    name: string,
    ...texts('description city country email phone image created_on updated_on creator updater'),
    currency: ref('Currency'),
    entity_card: ref('EntityCard'),
  }),
  User: object({ id: string, ...texts('first_name last_name email dob phone address image language') }),
  Product: object({
    id: string,
    name: string,
    ...texts('premiums is_active description image created_on updated_on creator updater'),
  }),
  Premium: object({ id: string, ...texts('name category type'), amount: number }),
  PaymentTransaction: object({
    id: string,
    amount: number,
    ...texts('source destination number date type method payment_type currency creator updater'),
    premium_details: ref('Premium'),
    currency_details: ref('Currency'),
  }),
  ProductTransaction: object({
    id: string,
    ...texts('amount source destination product currency type source_quantity current_quantity number date'),
    ...texts('created_on updated_on invoice method quantity creator updater card'),
    transaction_payments: { type: 'array', items: ref('PaymentTransaction') },
    card_details: ref('Card'),
    currency_details: ref('Currency'),
  }),
};
const listed = ['Farmer', 'Product', 'Currency', 'ProductTransaction'];
const pages = Object.fromEntries(listed.map((name) => [`${name}Page`, page(name)]));

const document = {
  openapi: '3.0.3',
  info: { title: 'traceability', version: 'v1' },
  servers: [{ url: 'http://127.0.0.1/v1' }],
  paths: {
    '/supply-chains/farmers/': list('farmers', 'Farmer'),
    '/supply-chains/farmers/{id}/': detail('farmer', 'Farmer'),
    '/supply-chains/companies/{id}/': detail('company', 'Company'),
    '/accounts/users/{id}/': detail('user', 'User'),
    '/catalogs/products/': list('products', 'Product'),
    '/catalogs/currencies/': list('currencies', 'Currency'),
    '/transactions/product-transactions/': list('productTransactions', 'ProductTransaction'),
  },
  components: { schemas: { ...schemas, ...pages } },
};
writeFileSync(new URL('openapi.json', import.meta.url), JSON.stringify(document, null, 1));

function ref(name) {
  return { $ref: `#/components/schemas/${name}` };
}

function object(properties, required = ['id']) {
  return { type: 'object', required, properties };
}

function texts(names) {
  return Object.fromEntries(names.split(' ').map((name) => [name, text]));
}

function page(name) {
  const properties = {
    count: { type: 'integer' },
    next: text,
    previous: text,
    results: { type: 'array', items: ref(name) },
  };
  return object(properties, ['count', 'results']);
}

function list(operationId, name) {
  const parameters = ['limit', 'offset'].map((parameter) => ({
    name: parameter,
    in: 'query',
    required: false,
    schema: { type: 'integer' },
  }));
  return { get: { operationId, parameters, responses: answers(`${name}Page`) } };
}

function detail(operationId, name) {
  const parameters = [{ name: 'id', in: 'path', required: true, schema: string }];
  return { get: { operationId, parameters, responses: answers(name) } };
}

function answers(name) {
  return { 200: { description: 'ok', content: { 'application/json': { schema: ref(name) } } } };
}
