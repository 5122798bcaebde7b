import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { uploadInvoice } from '../../../bench/lib/upload-form.ts';
import { type Gateway, startGateway } from '../../../test/support/harness.ts';
import { type Json, knownIds } from '../../../test/support/rest.ts';
import { scrape } from '../../../test/support/scrape.ts';

const folder = mkdtempSync(join(tmpdir(), 'trusted-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: object): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const farmers = 'query Farmers($limit: Int = 2) { farmers(limit: $limit) { results { name } } }';
const missing = 'query Missing { farmer(id: "nobody") { name } }';
const create = 'mutation Create($input: CreateFarmerInput!) { createFarmer(input: $input) { name } }';
const invoice = uploadInvoice();
const other = '{ farmers(limit: 1) { count } }';
const farmersCall = 'GET /supply-chains/farmers/?limit=2&offset=0';
const twoFarmers = { farmers: { results: [{ name: 'Ɔbaa Yaa Osei' }, { name: 'Immaculée Uwimana' }] } };

// As graphql-codegen, Relay and Apollo write them.
const codegen = write('codegen.json', { [`sha256:${sha256(farmers)}`]: farmers, missing });
write('relay.json', { [sha256(create)]: create });
write('apollo.json', {
  format: 'apollo-persisted-query-manifest',
  version: 1,
  operations: [{ id: 'invoice', name: 'Invoice', type: 'mutation', body: invoice }],
});
const TRUSTED_DOCUMENTS = `${codegen}, ${join(folder, '[ra]*.json')}`;

interface Sent {
  body?: object;
  search?: Record<string, string>;
  headers?: Record<string, string>;
}

/** The answer and what it cost. By GET, where it is asked by parameters. */
async function ask({ url, sandbox }: Gateway, { body, search, headers = {} }: Sent) {
  sandbox.clearCalls();
  const response = await fetch(search ? `${url}?${new URLSearchParams(search)}` : url, {
    headers: {
      authorization: 'demo-coop',
      ...(body ? { 'content-type': 'application/json' } : { 'apollo-require-preflight': 'true' }),
      ...headers,
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const { data, errors = [] }: Json = text === '' ? {} : JSON.parse(text);
  const calls = sandbox.calls().map(({ method, path }) => `${method} ${path}`);
  return { status: response.status, headers: response.headers, text, data, errors, calls };
}
const apolloForm = (id: string) => ({ persistedQuery: { version: 1, sha256Hash: id } });
const byPost = (gateway: Gateway, body: object, headers = {}) => ask(gateway, { body, headers });

describe('a trusted document', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({ settings: { TRUSTED_DOCUMENTS } });
  });
  afterAll(() => gateway.close());

  test.each([
    ['as documentId', { documentId: `sha256:${sha256(farmers)}` }],
    ['as documentId, without its prefix', { documentId: sha256(farmers), operationName: 'Farmers', query: null }],
    ['in the form of Apollo', { extensions: { ...apolloForm(sha256(farmers)), other: 1 } }],
    ['in the form of Apollo, with the text', { query: farmers, extensions: apolloForm('any') }],
  ])('runs by its id: %s', async (_, body) => {
    const { status, data, calls } = await byPost(gateway, { ...body, variables: { limit: 2 } });

    expect({ status, data, calls }).toEqual({ status: 200, data: twoFarmers, calls: [farmersCall] });
  });

  test.each([
    ['as documentId', { documentId: sha256(farmers) }],
    ['in the form of Apollo', { extensions: JSON.stringify(apolloForm(sha256(farmers))) }],
  ])('runs by GET: %s', async (_, search) => {
    const { status, data, headers, calls } = await ask(gateway, { search: { ...search, variables: '{"limit":2}' } });

    expect({ status, data, calls }).toEqual({ status: 200, data: twoFarmers, calls: [farmersCall] });
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')?.toLowerCase().split(', ')).toEqual(
      expect.arrayContaining(['authorization', 'accept', 'accept-language', 'auth-type', 'origin']),
    );
  });

  test('gives 304 to a browser whose cached answer is current, and to no other caller', async () => {
    const search = { documentId: sha256(farmers) };
    const etag = (await ask(gateway, { search })).headers.get('etag')!;
    const again = (headers: Record<string, string>) =>
      ask(gateway, { search, headers: { 'if-none-match': `"other", W/${etag}`, ...headers } });

    const same = await again({});
    expect(same).toMatchObject({ status: 304, text: '', calls: [farmersCall] });
    expect(same.headers.get('cache-control')).toBe('private, no-cache');
    expect((await again({ authorization: 'demo-buyer' })).status).toBe(200);
    expect((await ask(gateway, { search: { ...search, variables: '{"limit":1}' } })).headers.get('etag')).not.toBe(
      etag,
    );
  });

  test('that fails is not cacheable', async () => {
    const { headers } = await ask(gateway, { search: { documentId: 'missing' } });

    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('etag')).toBe(null);
  });

  test('does not run by GET if it is a mutation, or without a preflight header', async () => {
    const mutation = await ask(gateway, { search: { documentId: sha256(create), variables: '{"input":{}}' } });
    expect(mutation).toMatchObject({ status: 405, calls: [] });

    const headers = { 'apollo-require-preflight': '' };
    const forged = await ask(gateway, { search: { documentId: sha256(farmers) }, headers });
    expect(forged).toMatchObject({ status: 400, calls: [] });
  });

  test('has one idempotency record, by its id and by its text', async () => {
    const headers = { 'idempotency-key': 'once' };
    const variables = { input: { first_name: 'Efua', last_name: 'Mensah' } };
    const data = { createFarmer: { name: 'Efua Mensah' } };

    const first = await byPost(gateway, { documentId: sha256(create), variables }, headers);
    expect(first).toMatchObject({ data, calls: ['POST /supply-chains/farmers/'] });
    expect(await byPost(gateway, { query: create, variables }, headers)).toMatchObject({ data, calls: [] });
  });

  test('can upload a file by its id', async () => {
    const id = (await knownIds(gateway.sandbox)).payment;
    const variables = { id, invoice: null };
    const response = await gateway.upload({ documentId: 'invoice' }, variables, new File(['%PDF'], 'a.pdf'));

    expect(await response.json()).toMatchObject({ data: { uploadInvoice: { id } } });
  });

  test.each([
    ['documentId', { documentId: 'nobody' }, /^No document has this id: .*TRUSTED_DOCUMENTS/],
    ['documentId __proto__', { documentId: '__proto__' }, /^No document has this id/],
    // After which the client sends the text.
    ['the form of Apollo', { extensions: apolloForm('nobody') }, /^PersistedQueryNotFound$/],
  ])('is refused without a call if its id is unknown: %s', async (_, body, message) => {
    const { status, errors, calls } = await byPost(gateway, body);
    expect({ status, calls }).toEqual({ status: 400, calls: [] });
    expect(errors).toMatchObject([{ message: expect.stringMatching(message), extensions: { code: 'BAD_REQUEST' } }]);

    const search = Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    );
    expect(await ask(gateway, { search })).toMatchObject({
      status: 400,
      errors: [{ message: errors[0].message }],
      calls: [],
    });
  });

  test('runs beside any other document', async () => {
    expect(await byPost(gateway, { query: other })).toMatchObject({ data: { farmers: { count: expect.any(Number) } } });
  });
});

describe('mode enforce', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({ settings: { TRUSTED_DOCUMENTS, TRUSTED_DOCUMENTS_MODE: 'enforce' } });
  });
  afterAll(() => gateway.close());

  test.each([
    ['by id', { documentId: sha256(farmers) }],
    ['by text', { query: farmers }],
    ['by text, printed otherwise', { query: farmers.replaceAll(' ', '\n ,').replace('{', '{ # All of them.\n') }],
  ])('runs a trusted document %s', async (_, body) => {
    expect(await byPost(gateway, body)).toMatchObject({ status: 200, data: twoFarmers, calls: [farmersCall] });
  });

  test.each([
    ['another document', other],
    ['more than is trusted', `${farmers} ${other}`],
    ['words that are one', farmers.replace('query Farmers', 'queryFarmers')],
    ['a name of the schema', '{ __typename }'],
    ['introspection', '{ __schema { queryType { name } } }'],
    ['what is no GraphQL', '{'],
  ])('refuses %s without a call', async (_, query) => {
    const { status, errors, calls } = await byPost(gateway, { query });
    expect({ status, calls }).toEqual({ status: 400, calls: [] });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST', retryable: false } }]);
    expect(errors[0].message).toMatch(/^Only trusted documents .*TRUSTED_DOCUMENTS/);

    expect(await ask(gateway, { search: { query } })).toMatchObject({ status: 400, calls: [] });
    expect(await byPost(gateway, { query, extensions: apolloForm(sha256(farmers)) })).toMatchObject({
      status: 400,
      calls: [],
    });
    expect(await byPost(gateway, { query, documentId: sha256(farmers) })).toMatchObject({ status: 400, calls: [] });
  });

  test('refuses with 200 if Accept names application/json', async () => {
    const answer = await byPost(gateway, { query: other }, { accept: 'application/json' });
    expect(answer).toMatchObject({ status: 200, data: undefined, calls: [] });
  });

  test('refuses an unknown id without asking for the text', async () => {
    const { errors } = await byPost(gateway, { extensions: apolloForm('nobody') });
    expect(errors).toMatchObject([{ message: expect.stringMatching(/^No document has this id/) }]);
  });

  test.each([
    { query: [other] },
    { query: { kind: other } },
    [{ query: other }],
    { documentId: [sha256(farmers)] },
    {},
  ])('refuses an invalid request: %j', async (body) => {
    expect(await byPost(gateway, body)).toMatchObject({ status: 400, data: undefined, calls: [] });
  });
});

test.each([
  ['an id', { documentId: sha256('{ me { id } }') }, sha256('{ me { id } }')],
  ['an id of its own making', { documentId: 'sëcret' }, 'an id of another form'],
  ['a text', { query: '{ me { id } }' }, sha256('{ me { id } }')],
])('mode enforce logs once a minute which document it has refused: %s', async (_, body, document) => {
  const lines: string[] = [];
  const settings = { TRUSTED_DOCUMENTS, TRUSTED_DOCUMENTS_MODE: 'enforce', LOG_LEVEL: 'warn' };
  await using gateway = await startGateway({ settings, log: (line) => lines.push(line) });
  for (let time = 0; time < 3; time += 1) expect((await byPost(gateway, body)).status).toBe(400);

  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { document, msg: expect.stringContaining('give its manifest to the gateway') },
  ]);
});

describe('mode log', () => {
  const lines: string[] = [];
  let gateway: Gateway;
  beforeAll(async () => {
    const settings = { TRUSTED_DOCUMENTS, TRUSTED_DOCUMENTS_MODE: 'log', LOG_LEVEL: 'warn' };
    gateway = await startGateway({ settings, log: (line) => lines.push(line) });
  });
  afterAll(() => gateway.close());
  beforeEach(() => lines.splice(0));

  test('logs each untrusted document once, with its digest and name', async () => {
    const query = `query Secret { farmers(first_name: "sëcret", limit: 1) { count } }`;
    await byPost(gateway, { query: farmers });
    for (const text of [query, query, ` ${query}`]) {
      expect(await byPost(gateway, { query: text, variables: { secret: 1 } })).toMatchObject({
        status: 200,
        errors: [],
      });
    }

    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ operation: 'Secret', document: sha256(query) }]);
    expect(lines.join()).not.toMatch(/sëcret|first_name|variables/);
  });

  test('cuts long names, and logs no invalid documents', async () => {
    await byPost(gateway, { query: `query ${'N'.repeat(1_000)} { serverTime }` });
    await byPost(gateway, { query: '{ farmers' });

    expect(lines.map((line) => JSON.parse(line).operation)).toEqual(['N'.repeat(100)]);
  });

  const counts = async () =>
    Object.fromEntries(
      (await scrape(gateway.url))
        .filter(({ name }) => name === 'gateway_documents_total')
        .map(({ labels: { asked_by, trusted }, value }) => [`${asked_by} ${trusted}`, value]),
    );

  test('counts requests with trusted and with untrusted documents', async () => {
    const asked = [{ documentId: sha256(farmers) }, { documentId: 'nobody' }, { query: farmers }, { query: other }];
    for (const body of asked) await byPost(gateway, body);
    const before = await counts();
    await byPost(gateway, { documentId: 'nobody' });
    await byPost(gateway, { query: other });
    await byPost(gateway, { query: other });

    expect(await counts()).toEqual({
      'id yes': before['id yes'],
      'id no': before['id no']! + 1,
      'text yes': before['text yes'],
      'text no': before['text no']! + 2,
    });
  });

  // urql names both types in each request.
  test('counts a request once whose client accepts parts, whether it defers or not', async () => {
    const headers = { accept: 'application/json, text/event-stream, multipart/mixed' };
    const before = await counts();
    const parts = ['farmers(limit: 1) { count }', '... @defer { products(limit: 1) { count } }'];
    for (const query of [
      `{ ${parts[0]} }`,
      `{ ${parts.join(' ')} }`,
      `query ($on: Boolean = false) { ${parts[0]} ... @defer(if: $on) { serverTime } }`,
    ]) {
      await (await gateway.post({ query }, { headers })).text();
    }

    expect(await counts()).toEqual({ ...before, 'text no': (before['text no'] ?? 0) + 3 });
  });
});

test('a gateway without manifests refuses ids and says why', async () => {
  await using gateway = await startGateway();
  const answers = [
    await byPost(gateway, { documentId: sha256(farmers) }),
    await byPost(gateway, { extensions: apolloForm(sha256(farmers)) }),
  ];

  expect(answers.map(({ errors, calls }) => [errors[0].message, calls])).toEqual([
    ['No documents are known by ids here (TRUSTED_DOCUMENTS): send the query itself.', []],
    ['PersistedQueryNotSupported', []],
  ]);
});
