import { headers } from '../gateway.ts';
import type { documents } from './documents.ts';

/** A small app over one client: pages that stay open, and writes. Each client has one, and the tests use them. */
export interface App {
  open(document: DocumentName, variables: Variables): Promise<Page>;
  write(document: DocumentName, variables: Variables, options?: WriteOptions): Promise<void>;
}

export interface Page {
  /** The data on the page now. */
  data(): unknown;
  /** Reads the next page of its list. */
  more(): Promise<void>;
  /** The user goes to another page. The cache may keep the data of this one. */
  close(): void;
}

export interface WriteOptions {
  idempotencyKey?: string;
  /** The answer that pages show until the service has answered. */
  optimistic?: Record<string, object>;
}

export type DocumentName = keyof typeof documents;
export type Variables = Record<string, unknown>;

/** The types behind the interface and the union of the schema. Code generators write them (`fragment-matcher`). */
export const possibleTypes = {
  Entity: ['Farmer', 'Company', 'UnknownEntity'],
  WrittenObject: [
    'Farmer',
    'Company',
    'CompanyMember',
    'User',
    'EntityCard',
    'Premium',
    'Form',
    'ProductTransaction',
    'PaymentTransaction',
  ],
};

/** The header of a write. */
export const keyHeader = ({ idempotencyKey }: WriteOptions = {}): Record<string, string> =>
  idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };

/** Sends an operation, with the file of a variable as the GraphQL multipart request specification says. */
export async function send(url: string, query: string, variables: Variables, more: Record<string, string> = {}) {
  const operation = JSON.stringify({ query, variables });
  const [name, file] = Object.entries(variables).find(([, value]) => value instanceof File) ?? [];
  const form = new FormData();
  form.set('operations', JSON.stringify({ query, variables: { ...variables, ...(name && { [name]: null }) } }));
  form.set('map', JSON.stringify({ 0: [`variables.${name}`] }));
  if (file) form.set('0', file as File);
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      accept: 'application/graphql-response+json',
      ...(file ? { 'apollo-require-preflight': 'true' } : { 'content-type': 'application/json' }),
      ...headers,
      ...more,
    },
    body: file ? form : operation,
  });
  return response.json();
}
