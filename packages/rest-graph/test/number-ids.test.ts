import { expect, test } from 'vitest';
import { traceability } from '../../../src/app.ts';
import { changedContract, schemasIn } from '../../../test/contract/changed-contract.ts';
import { startGateway } from '../../../test/support/harness.ts';
import { ask, type OtherService, startService } from './other-service.ts';

/** The contract whose ids are numbers. */
const contract = await changedContract((document) => {
  const isId = (name: string, schema: { 'x-reference'?: unknown }) => name === 'id' || schema['x-reference'];
  for (const { name, schema } of schemasIn(document.components.schemas)) {
    if (!isId(name, schema) || schema.type === 'array') continue;
    schema.type = Array.isArray(schema.type) ? ['integer', 'null'] : 'integer';
  }
  document.components.parameters.hashid.schema = { type: 'integer' };
  document['x-wire'].internalNumbers = undefined;
});

/** Stands between the gateway and the sandbox: their ids are numbers on one side, texts on the other. */
class Numbers {
  readonly #ids: string[] = [];

  of(id: string): number {
    if (!this.#ids.includes(id)) this.#ids.push(id);
    return first + this.#ids.indexOf(id);
  }

  id(number: number): string {
    return this.#ids[number - first] ?? 'NONE';
  }

  /** JSON with numbers in place of ids. */
  out(value: unknown): unknown {
    return JSON.parse(JSON.stringify(value), (_key, each) => (isSandboxId(each) ? this.of(each) : each));
  }

  in(value: unknown): unknown {
    const text = JSON.stringify(value);
    return JSON.parse(text, (_key, each) => (typeof each === 'number' && each >= first ? this.id(each) : each));
  }
}

const first = 7_000_000;
const isSandboxId = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-HJKMNP-Z2-9]{10}$/.test(value);

let service: OtherService;
const numbers = new Numbers();
const start = () =>
  startGateway({
    app: { ...traceability, contract },
    upstreamUrl: async (sandboxUrl) => {
      service = await startService(sandboxUrl, async ({ path, body, ...request }) => {
        const sent = {
          ...request,
          path: path.replace(/7\d{6}/g, (number) => numbers.id(Number(number))),
          body: body && numbers.in(body),
        };
        const answer = await ask(sandboxUrl, sent, { authorization: request.headers.authorization ?? '' });
        return { ...answer, body: numbers.out(answer.body) };
      });
      return service.url;
    },
  });

const document = `{
  productTransactions(limit: 5) {
    results { id source_id source { __typename id name } product { id name } parents { id } parent_ids }
  }
  products(limit: 3) { results { id productTransactions(limit: 2) { results { id product_id } } } }
  cards(limit: 2) { results { id holder { id } } }
}`;

test('references, ways back and GETs by id work with ids that are numbers, and clients get texts', async () => {
  await using plain = await startGateway();
  await using gateway = await start();
  const expected = await plain.query(document);
  expect(expected.errors).toEqual([]);
  const answer = await gateway.query(document);
  expect(answer.errors).toEqual([]);
  const texts = JSON.parse(JSON.stringify(numbers.out(expected.data)), (_key, value) =>
    typeof value === 'number' && value >= first ? String(value) : value,
  );
  expect(answer.data).toEqual(texts);
  const gets = service.requests.map(({ path }) => path).filter((path) => /\/7\d{6}\/$/.test(path));
  expect(gets.length).toBeGreaterThan(0);
  expect(new Set(gets).size).toBe(gets.length);

  const { id, source_id } = answer.data.productTransactions.results[0];
  const byId = await gateway.query('query($id: ID!) { productTransaction(id: $id) { id source_id } }', { id });
  expect(byId).toMatchObject({ errors: [], data: { productTransaction: { id, source_id } } });
  // GraphQL takes a number for an ID too.
  const byNumber = await gateway.query(`{ productTransaction(id: ${id}) { id } }`);
  expect(byNumber.data).toEqual({ productTransaction: { id } });
});

test('pages after a cursor continue, and a list that only a page shows finds its rows', async () => {
  await using gateway = await start();
  const document =
    'query($after: String) { cards(first: 40, after: $after) { pageInfo { endCursor hasNextPage } results { id } } }';
  const ids: string[] = [];
  for (let after: string | null = null, isLast = false; !isLast; ) {
    const { data, errors } = await gateway.query(document, { after });
    expect(errors).toEqual([]);
    ids.push(...data.cards.results.map(({ id }: { id: string }) => id));
    after = data.cards.pageInfo.endCursor;
    isLast = !data.cards.pageInfo.hasNextPage;
  }
  const { data } = await gateway.query('{ cards(limit: 0) { count } }');
  expect([ids.length, new Set(ids).size]).toEqual([data.cards.count, data.cards.count]);
  expect(ids.every((id) => /^7\d{6}$/.test(id))).toBe(true);
});

test('writes send references as numbers', async () => {
  await using gateway = await start();
  const { data } = await gateway.query(
    '{ farmers(limit: 1) { results { id } } products(limit: 1) { results { id } } currencies(limit: 1) { results { id } } }',
  );
  const [source, product, currency] = ['farmers', 'products', 'currencies'].map((list) => data[list].results[0].id);
  const create = `mutation($input: CreateProductTransactionInput!) { createProductTransaction(input: $input) { id source_id product_id } }`;
  const destination = source;
  const input = { source, destination, product, currency, amount: '5', quantity: '2' };
  const answer = await gateway.query(create, { input });
  expect(answer.errors).toEqual([]);
  expect(answer.data.createProductTransaction).toEqual({
    id: expect.stringMatching(/^7\d{6}$/),
    source_id: source,
    product_id: product,
  });
  const [write] = service.requests.filter(({ method }) => method === 'POST');
  expect(write?.body).toMatchObject({ source: Number(source), product: Number(product), currency: Number(currency) });
});

test.each(['0', '00000000000000000001'])(
  'an id with zeros before it is no id, and goes to the service as the client sends it: %s',
  async (zeros) => {
    await using gateway = await start();
    const { data } = await gateway.query('{ products(limit: 1) { results { id } } }');
    const product = zeros + data.products.results[0].id;
    const create =
      'mutation($input: CreateProductTransactionInput!) { createProductTransaction(input: $input) { id } }';
    const { errors } = await gateway.query(create, { input: { product, amount: '5', quantity: '2' } });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(service.requests.find(({ method }) => method === 'POST')?.body).toMatchObject({ product });
  },
);

test.each(['9007199254740991', '9223372036854775807'])('a number of 64 bits is an id: %s', async (id) => {
  await using gateway = await start();
  const { errors } = await gateway.query('query($id: ID!) { farmer(id: $id) { id } }', { id });
  expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  expect(service.requests).toMatchObject([{ path: expect.stringContaining(id) }]);
});

test.each([
  ['POST', ''],
  ['QUERY', ''],
  ['GET', 'query=query($id:ID!){farmer(id:$id){id}}&variables={"id":9007199254740993}'],
])('a number of 64 bits in the JSON of a %s keeps its digits', async (method, search) => {
  await using gateway = await start();
  const body = '{"query":"query($id: ID!) { farmer(id: $id) { id } }","variables":{"id":9007199254740993}}';
  const headers = { 'content-type': 'application/json', 'apollo-require-preflight': 'true' };
  await gateway.send({ method, headers, ...(search ? { path: `?${encodeURI(search)}` } : { body }) });
  expect(service.requests).toMatchObject([{ path: expect.stringContaining('9007199254740993') }]);
});

test.each(['ABC', '-1', '007', '1.5', '1/2', '9'.repeat(20)])('the service cannot have the id %j', async (id) => {
  await using gateway = await start();
  const { data, errors } = await gateway.query('query($id: ID!) { farmer(id: $id) { id } }', { id });
  expect([data, errors]).toMatchObject([{ farmer: null }, [{ extensions: { code: 'NOT_FOUND' } }]]);
  expect(service.requests).toEqual([]);
});
