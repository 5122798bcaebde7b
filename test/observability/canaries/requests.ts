import { boundary, field, file, form, operationOf } from '../../../bench/lib/upload-form.ts';
import { type Canary, canaries } from './values.ts';

/** A request whose headers and values are canaries. */
export interface CanaryRequest {
  name: string;
  method?: string;
  /** After the address of GraphQL; or another path. */
  search?: string;
  path?: string;
  headers?: Record<string, string | null>;
  body?: string | Buffer;
  /** Values that the answer may quote, because the client has written them there. */
  own?: Canary[];
  /** Calls of the service that do not fail, by their path. */
  succeeds?: RegExp;
}

const { key, cookie, forwarded, agent, idempotencyKey, email, name, fileName, fileContent } = canaries;

/** Headers of every request that names no others. */
export const usualHeaders: Record<string, string> = {
  authorization: `Bearer ${key}`,
  cookie: `session=${cookie}`,
  'auth-type': forwarded,
  'user-agent': agent,
  referer: `http://${agent}/`,
  'content-type': 'application/json',
};

const once = { 'idempotency-key': idempotencyKey };
const input = { first_name: name.slice(0, 20), last_name: 'A', email, street: name };
const create = 'mutation ($input: CreateFarmerInput!) { createFarmer(input: $input) { id } }';
const json = (query: string, variables: object = {}, others: object = {}) =>
  JSON.stringify({ query, variables, ...others });
const get = (query: string, variables: object) =>
  `?${new URLSearchParams({ query, variables: JSON.stringify(variables) })}`;

const multipart = {
  'content-type': `multipart/form-data; boundary=${boundary}`,
  'apollo-require-preflight': 'true',
};
const canaryFile = file(fileContent, fileName);
const upload = (...parts: Parameters<typeof form>[0]) => ({ headers: multipart, body: form(parts) });

/** Valid operations, over a service that fails. */
export const operations: readonly CanaryRequest[] = [
  { name: 'one farmer', body: json('{ farmer(id: "F1") { first_name } }') },
  { name: 'an entity', body: json('{ entity(id: "F1") { name } }') },
  {
    name: 'a list with a filter',
    body: json('query ($n: String) { farmers(first_name: $n) { count } }', { n: email }),
  },
  { name: 'a catalog', body: json('{ products { results { name } } }'), headers: { 'x-trace-upstream': 'true' } },
  {
    name: 'references',
    body: json('{ farmers { results { id creator { email } } } }'),
    succeeds: /\/farmers\/$/,
  },
  {
    name: 'references to list-only kinds and to either of two',
    body: json('{ productTransactions { results { product { name } source { name } parents { number } } } }'),
    succeeds: /\/product-transactions\/$/,
  },
  { name: 'a write', body: json(create, { input }), own: ['email', 'name'] },
  { name: 'a write with a key', body: json(create, { input }), headers: once, own: ['email', 'name'] },
  {
    name: 'a write in literals',
    body: json(`mutation { createFarmer(input: { first_name: "A", email: "${email}" }) { id } }`),
    own: ['email'],
  },
  {
    name: 'a change',
    body: json('mutation ($i: UpdateUserInput!) { updateUser(id: "U1", input: $i) { id } }', { i: { email } }),
    own: ['email'],
  },
  { name: 'an upload', ...upload(...operationOf('T1'), canaryFile) },
  {
    name: 'GET',
    method: 'GET',
    search: get('query ($n: String) { currencies(search: $n) { count } }', { n: email }),
    headers: { 'apollo-require-preflight': 'true' },
  },
];

const nested = (depth: number) => `${'{ buyer '.repeat(depth)}{ id }${' }'.repeat(depth)}`;

/** Requests that the gateway itself refuses. */
export const refusals: readonly CanaryRequest[] = [
  { name: 'no key', body: json(create, { input }), headers: { authorization: null } },
  { name: 'a document that ends early', body: json(`{ farmers(first_name: "${email}"`) },
  { name: 'a document that is none', body: json(`{ "${email}" }`), own: ['email'] },
  { name: 'a literal of another type', body: json(`{ farmers(limit: "${email}") { count } }`), own: ['email'] },
  { name: 'a field that is not there', body: json('{ farmers { canary } }') },
  {
    name: 'a variable of another type',
    body: json('query ($n: Int) { farmers(limit: $n) { count } }', { n: email }),
    own: ['email'],
  },
  { name: 'an input of another type', body: json(create, { input: { ...input, latitude: email } }), own: ['email'] },
  { name: 'an input that is too long', body: json(create, { input: { ...input, first_name: email.repeat(10) } }) },
  { name: 'a cursor that is none', body: json('query ($c: String) { farmers(after: $c) { count } }', { c: email }) },
  {
    name: 'an id that is none',
    body: json('query ($id: ID!) { farmer(id: $id) { id } }', { id: `../${email}` }),
    own: ['email'],
  },
  {
    name: 'an operation that is not there',
    body: json('query A { cards { count } }', {}, { operationName: email }),
    own: ['email'],
  },
  { name: 'a subscription', body: json(`subscription { a(b: "${email}") }`) },
  {
    name: 'a persisted query',
    body: JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash: email } } }),
  },
  { name: 'several operations', body: JSON.stringify([{ query: email }]) },
  { name: 'a query that is no text', body: JSON.stringify({ query: { email } }) },
  { name: 'variables that are no object', body: JSON.stringify({ query: '{ a }', variables: email }) },
  { name: 'no JSON', body: `{"query": ${email}` },
  { name: 'an empty body', body: '' },
  { name: 'another type', body: json(create, { input }), headers: { 'content-type': `text/${agent}` } },
  { name: 'an answer that there is not', body: json(create, { input }), headers: { accept: `image/${agent}` } },
  { name: 'too large a body', body: json(create, { input: { ...input, street: email.repeat(400) } }) },
  { name: 'too many tokens', body: json(`{ ${'a '.repeat(2_001)} }`) },
  { name: 'too deep a document', body: json(`{ farmers { results ${nested(12)} } }`) },
  { name: 'too many calls', body: json(`{ ${'abcdef'.replace(/./g, '$&: farmer(id: "F$&") { name } ')} }`) },
  {
    name: 'a key of idempotency that was used otherwise',
    body: json(create, { input: { ...input, city: name } }),
    headers: once,
  },
  {
    name: 'a mutation by GET',
    method: 'GET',
    search: get(create, { input }),
    headers: { 'apollo-require-preflight': 'true' },
  },
  {
    name: 'GET as a form could send it',
    method: 'GET',
    search: get('{ cards { count } }', { email }),
    headers: { 'content-type': null },
  },
  { name: 'another method', method: 'PUT', body: json(create, { input }) },
  { name: 'another address', method: 'GET', path: `/${encodeURIComponent(email)}` },
  { name: 'an address that is none', method: 'GET', path: `/%zz/${key}` },
  {
    name: 'a key of idempotency that is none',
    body: json(create, { input }),
    headers: { 'idempotency-key': `${email}é` },
  },
  {
    name: 'an upload as a form could send it',
    ...upload(...operationOf('T1'), canaryFile),
    headers: { 'content-type': multipart['content-type'] },
  },
  {
    name: 'an upload without a boundary',
    body: form([canaryFile]),
    headers: { ...multipart, 'content-type': 'multipart/form-data' },
  },
  { name: 'an upload without an operation', ...upload(canaryFile) },
  { name: 'an upload of no file', ...upload(...operationOf('T1')) },
  {
    name: 'an upload that is not used',
    ...upload(field('operations', json('{ cards { count } }')), field('map', '{}'), canaryFile),
  },
  {
    name: 'operations that are no JSON',
    ...upload(field('operations', `{"query": "${email}`), field('map', '{}'), canaryFile),
  },
  {
    name: 'a map that leads nowhere',
    own: ['email'],
    ...upload(field('operations', json(create, { input })), field('map', JSON.stringify({ 0: [email] })), canaryFile),
  },
  { name: 'two files', ...upload(...operationOf('T1'), canaryFile, file(fileContent, fileName, '1')) },
  { name: 'too large a file', ...upload(...operationOf('T1'), file(fileContent.repeat(1_000), fileName)) },
  {
    name: 'an upload that ends early',
    headers: multipart,
    body: form([...operationOf('T1'), canaryFile]).subarray(0, -20),
  },
  {
    name: 'a file in JSON',
    body: json('mutation ($f: Upload!) { uploadInvoice(payment_transaction: "T1", invoice: $f) { id } }', {
      f: fileName,
    }),
  },
];
