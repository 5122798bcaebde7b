import { buildSchema, parse } from 'graphql';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ValidDocument } from '../../packages/base/executor/operation.ts';
import { errorFormatter } from '../../packages/graphql-serve/operations/errors/format.ts';
import { OperationCache } from '../../packages/graphql-serve/operations/operation-cache.ts';
import { startPipeline } from '../../packages/graphql-serve/operations/pipeline.ts';
import { openService } from '../../packages/rest-graph/service.ts';
import { serviceOptions } from '../../packages/upstream/test/upstream.ts';
import { traceability } from '../../src/app.ts';
import { schemaParts } from '../../src/compose.ts';
import { callerOf } from '../support/caller.ts';
import { readAnswer } from '../support/client.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { sendRaw } from '../support/raw-http.ts';
import { paths, readRest, unknownId } from '../support/rest-reads.ts';
import { scrape } from '../support/scrape.ts';

let gateway: Gateway;
let farmerId: string;

beforeAll(async () => {
  gateway = await startGateway({
    settings: { 'limits.operations.upstreamCalls': '3', 'limits.operations.objects': '40' },
  });
  farmerId = (await readRest(gateway, `${paths.farmers}?limit=1`)).results[0].id;
});
afterAll(() => gateway.close());

interface Sent {
  method?: 'GET' | 'POST';
  search?: string;
  /** Instead of those that every request has; undefined: without it. */
  headers?: Record<string, string | undefined>;
  body?: unknown;
}

/** All that a client can see of an answer but the date, and what it cost. */
async function ask({ method = 'POST', search = '', headers = {}, body }: Sent) {
  gateway.sandbox.clearCalls();
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = Object.entries({
    Host: 'a',
    Authorization: 'demo-coop',
    'Content-Type': 'application/json',
    // Errors hold the id, and must be equal between requests.
    'X-Request-Id': 'order-7',
    'Content-Length': String(Buffer.byteLength(text)),
    ...headers,
  }).flatMap(([name, value]) => (value === undefined ? [] : `${name}: ${value}\r\n`));
  const answer = await sendRaw(gateway.url, `${method} /graphql${search} HTTP/1.1\r\n${lines.join('')}\r\n${text}`);
  const calls = gateway.sandbox.calls().map((call) => `${call.method} ${call.path}`);
  if (!answer) throw new Error('No answer.');
  delete answer.headers.date;
  if (answer.body.includes('"upstream"')) {
    delete answer.headers['content-length'];
    answer.body = answer.body.replaceAll(/"(start|ms|queuedMs|workMs)":[\d.]+/g, '"$1":0');
  }
  return { ...answer, calls: calls.toSorted() };
}

let comments = 0;

/** The same request with a document that nobody has sent before: only Apollo Server can answer it. */
function neverSent(sent: Sent): Sent {
  const { search, body } = sent;
  const comment = ` #${comments++}`;
  if (search) return { ...sent, search: search + encodeURIComponent(comment) };
  const isDocument = typeof body === 'object' && body !== null && 'query' in body && typeof body.query === 'string';
  return isDocument && body.query ? { ...sent, body: { ...body, query: body.query + comment } } : sent;
}

const get = (query: string, headers: Sent['headers'] = {}): Sent => ({
  method: 'GET',
  search: `?${new URLSearchParams({ query })}`,
  headers: { 'Content-Type': undefined, 'Content-Length': undefined, ...headers },
});
const preflight = { 'apollo-require-preflight': 'true' };
const traced = { 'X-Trace-Upstream': 'true' };
const noKey = { Authorization: undefined };

const rows = 'query ($n: Int = 2) { farmers(first: $n) { count results { id name } } }';
const withVariables = (...all: unknown[]): Sent[] => all.map((variables) => ({ body: { query: rows, variables } }));
const conditional =
  'query ($v: Boolean = true) { __typename @skip(if: $v) farmers(limit: 1) { count results @include(if: $v) { id } } }';
const several = 'query A { a: __typename } query B { farmers(limit: 1) { count } } mutation C { __typename }';
const named = (operationName?: unknown): Sent => ({ body: { query: several, operationName } });
const plain = '{ farmers(limit: 2) { count results { id name } } }';
const optional = `query ($more: Boolean!) {
  farmers { count } currencies { count }
  productTransactions @include(if: $more) { count } paymentTransactions @include(if: $more) { count }
}`;
const halfIntrospection =
  'query ($if: Boolean!) { farmers { count } __typename __schema @include(if: $if) { queryType { name } } }';
const unknownFarmer = `{ farmer(id: "${unknownId}") { id } farmers(limit: 1) { count } }`;
const deep = `{ farmers(limit: 1) { results { ${'buyer { '.repeat(8)} id ${'} '.repeat(8)} } } }`;

/** Requests that follow each other, of which each is to be answered as if it were the first. */
const sequences: Record<string, Sent[]> = {
  'a query': [{ body: { query: plain } }],
  'nothing but the name of a type': [{ body: { query: '{ __typename }' } }],
  'an error beside data': [{ body: { query: unknownFarmer } }],
  'an error that takes no place of data': [
    { body: { query: '{ farmers(limit: 30) { results { buyer { id name } } } }' } },
  ],
  'data that is null': [{ body: { query: `{ farmer(id: "${unknownId}") { name } }` } }],
  'variables that fit, and do not': withVariables({ n: 1 }, { n: 'one' }, { n: 3 }, { n: -1 }, { n: 1, m: 2 }),
  'variables that are not there': withVariables({}, undefined, { n: null }, null, { n: 1 }),
  'variables that are no object': withVariables({ n: 1 }, [], 'a', 7, false, [{ n: 1 }], { n: 2 }),
  'a variable that must be there': [{ id: unknownId }, {}, { id: null }, { id: 7 }, { id: [] }].map((variables) => ({
    body: { query: 'query ($id: ID!) { farmer(id: $id) { id } }', variables },
  })),
  'conditions of every value': [{ v: true }, { v: false }, { v: null }, {}, { v: 'true' }, { v: true }].map(
    (variables) => ({ body: { query: conditional, variables } }),
  ),
  'one of several operations': [
    named('A'),
    named('B'),
    named(),
    named('D'),
    named('C'),
    named(''),
    named(null),
    named(7),
  ],
  'an operation without a name': [undefined, '', 'null', null, 'A'].map((operationName) => ({
    body: { query: plain, operationName },
  })),
  'a name that continues in the document': [
    { body: { query: '#\n{ __typename }' } },
    { body: { query: '{ __typename }', operationName: '\n#' } },
  ],
  'every media type': [
    undefined,
    'application/json',
    'application/graphql-response+json',
    '*/*',
    '',
    'application/json; charset=utf-8',
    'application/json;q=0.5, application/graphql-response+json',
    'application/json, application/graphql-response+json;q=0.5',
    'application/json; charset=utf-8; q=0, application/json',
    'text/html',
  ].map((Accept) => ({ headers: { Accept }, body: { query: plain } })),
  'media types for variables that do not fit': ['application/graphql-response+json', 'application/json'].flatMap(
    (Accept) => withVariables({ n: 1 }, { n: 'one' }).map((sent) => ({ ...sent, headers: { Accept } })),
  ),
  extensions: [
    ...[undefined, {}, null, { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } }, { persistedQuery: null }],
    ...[{ other: 1 }, [], 'a', 7],
  ].map((extensions) => ({ body: { query: plain, extensions } })),
  'bodies that are no operation': [
    ...[{ query: plain }, { query: 7 }, { query: [plain] }, { query: { kind: 'Document' } }, { query: '' }, {}],
    ...[[{ query: plain }], [{ query: plain }, { query: plain }], [], null, plain, 7],
  ].map((body) => ({ body })),
  'members that nobody knows': [{ body: { query: plain, more: 1 } }, { body: { query: plain } }],
  'callers, the first of whom has no key': [noKey, {}, noKey, { Authorization: 'demo-buyer' }, {}].map((headers) => ({
    headers,
    body: { query: '{ farmers(limit: 3) { count results { id } } }' },
  })),
  'callers, the last of whom has no key': [{}, { Authorization: 'demo-buyer' }, { Authorization: 'none' }, noKey].map(
    (headers) => ({ headers, body: { query: '{ farmers(limit: 4) { count results { id } } }' } }),
  ),
  'a write without a key': [
    { headers: noKey, body: { query: 'mutation { createFarmer(input: { first_name: "A" }) { id } }' } },
  ],
  'what is over the budget': [
    { body: { query: '{ farmers { count } currencies { count } cards { count } products { count } }' } },
  ],
  'what variables put over the budget': [{}, traced].flatMap((headers) =>
    [false, true, false].map((more) => ({ headers, body: { query: optional, variables: { more } } })),
  ),
  introspection: [{ body: { query: '{ __schema { queryType { name } } }' } }],
  'introspection beside __typename': [{ body: { query: '{ __typename __type(name: "Farmer") { name } }' } }],
  'introspection that a variable asks for': [{}, traced].flatMap((headers) =>
    [false, true, false].map((value) => ({ headers, body: { query: halfIntrospection, variables: { if: value } } })),
  ),
  'what an operation cost': [traced, {}, { 'X-Trace-Upstream': 'false' }, { ...traced, ...noKey }, traced].map(
    (headers) => ({ headers, body: { query: plain } }),
  ),
  'what an operation with an error cost': [{}, traced].map((headers) => ({ headers, body: { query: unknownFarmer } })),
  'what refused variables cost': withVariables({ n: 1 }, { n: 'one' }).map((sent) => ({ ...sent, headers: traced })),
  'a query over GET': [
    { body: { query: plain } },
    get(plain, preflight),
    get(plain),
    get(plain, { ...preflight, ...traced }),
    get(several, preflight),
  ],
  'other types of the body': [
    { body: { query: plain } },
    { headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: { query: plain } },
    { headers: { 'Content-Type': 'text/plain' }, body: { query: plain } },
    { headers: { 'Content-Type': undefined }, body: { query: plain } },
  ],
  'what is too deep': [{ body: { query: deep } }],
  'what is not valid': [{ body: { query: '{ shoe_size }' } }, { body: { query: '{ 7 }' } }],
  'a subscription': [{ body: { query: 'subscription { farmers }' } }],
};

describe('a repeated request has the answer of a new one:', () => {
  test.each(Object.entries(sequences))('%s', async (_name, requests) => {
    // The document is cached at the second time, and its tree at the third.
    for (const request of [...requests, ...requests, ...requests, ...requests]) {
      expect(await ask(request), JSON.stringify(request)).toEqual(await ask(neverSent(request)));
    }
  });
});

describe('a repeated operation', () => {
  const thrice = async (sent: Sent) => [await ask(sent), await ask(sent), await ask(sent)];

  test('gives the current state of the service', async () => {
    const query = `{ farmers(limit: 1) { count } }`;
    const counts: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const { body, calls } = await ask({ body: { query } });
      expect(calls).toHaveLength(1);
      counts.push(JSON.parse(body).data.farmers.count);
      await ask({ body: { query: 'mutation { createFarmer(input: { first_name: "New" }) { id } }' } });
    }
    expect(counts).toEqual([counts[0], counts[0]! + 1, counts[0]! + 2]);
  });

  test('is written each time', async () => {
    const query = 'mutation ($name: String!) { createFarmer(input: { first_name: $name }) { id first_name } }';
    const answers = await thrice({ body: { query, variables: { name: 'Again' } } });
    const farmers = answers.map(({ body }) => JSON.parse(body).data.createFarmer);
    expect(new Set(farmers.map(({ id }) => id)).size).toBe(3);
    for (const { status, calls } of answers)
      expect({ status, calls }).toEqual({ status: 200, calls: [`POST ${paths.farmers}`] });
    for (const { id, first_name } of farmers) {
      expect(first_name).toBe('Again');
      expect(await readRest(gateway, `${paths.farmers}${id}/`)).toMatchObject({ id, first_name });
    }
  });

  test('is refused if its variables do not fit, whatever fitted before', async () => {
    const query = 'mutation ($name: String!) { createFarmer(input: { first_name: $name }) { id } }';
    await thrice({ body: { query, variables: { name: 'A' } } });
    const refused = await ask({ body: { query, variables: { name: 7 } } });
    expect(refused).toMatchObject({ status: 400, calls: [] });
    expect(JSON.parse(refused.body).errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  });

  test('is refused over GET if it writes', async () => {
    const query = 'mutation { createFarmer(input: { first_name: "A" }) { id } }';
    await thrice({ body: { query } });
    expect(await ask(get(query, preflight))).toMatchObject({ status: 405, headers: { allow: 'POST' }, calls: [] });
  });

  test('leaves other writes their call budget', async () => {
    const write = (alias: string) =>
      `${alias}: createFarmer(input: { first_name: "A" }) { id buyer { name } updater { email } }`;
    const query = `mutation { ${write('a')} ${write('b')} }`;
    for (const { calls } of await thrice({ body: { query } })) {
      expect(calls.filter((call) => call.startsWith('POST'))).toHaveLength(2);
    }
  });

  test('has its cost and estimate in the trace', async () => {
    for (const { body } of await thrice({ headers: traced, body: { query: plain } })) {
      expect(JSON.parse(body).extensions.upstream).toMatchObject({ estimate: { least: 1, cost: 2 }, total: 1 });
    }
  });

  test('finds an existing row, and not a missing one', async () => {
    const query = 'query ($id: ID!) { farmer(id: $id) { id } }';
    const found = { data: { farmer: { id: farmerId } } };
    const missing = { data: { farmer: null }, errors: [{ path: ['farmer'], extensions: { code: 'NOT_FOUND' } }] };
    for (let round = 0; round < 3; round += 1) {
      expect(JSON.parse((await ask({ body: { query, variables: { id: farmerId } } })).body)).toEqual(found);
      expect(JSON.parse((await ask({ body: { query, variables: { id: unknownId } } })).body)).toMatchObject(missing);
    }
  });

  test('needs its preflight header if it is multipart', async () => {
    const send = async (headers: Record<string, string | undefined>) => {
      const { status, body } = await readAnswer(
        await gateway.upload('{ __typename }', { file: null }, new File(['a'], 'a.txt'), { headers }),
      );
      return { status, data: body.data };
    };
    for (let round = 0; round < 3; round += 1) {
      expect(await send({})).toEqual({ status: 200, data: { __typename: 'Query' } });
      expect(await send({ 'apollo-require-preflight': undefined })).toEqual({ status: 400, data: undefined });
    }
  });
});

test('an operation of a cached document bypasses Apollo Server', async () => {
  const graph = openService(traceability, { ...serviceOptions(gateway.sandbox.url), parts: schemaParts });
  const counts = { tokens: 100, depth: 10, fields: 10, fieldsPerObject: 10, rootFields: 10, aliases: 10 };
  const pipeline = await startPipeline({
    graph,
    limits: { ...counts, directives: 10, directivesPerNode: 10 },
    answerBytes: 1_000,
    operations: new OperationCache(100_000),
    introspectionEnabled: true,
    formatError: errorFormatter(pino({ level: 'silent' })),
  });
  // Only a miss reaches Apollo Server, which refuses a body that is not JSON.
  const send = async (type: string, query: string, authorization?: string) => {
    const request = { method: 'POST' as const, headers: { 'content-type': type }, body: { query } };
    const caller = callerOf(authorization === undefined ? {} : { authorization });
    return (await pipeline.execute(request, graph.open(caller))).status;
  };
  const repeat = async (query: string, authorization?: string) => {
    for (let time = 0; time < 2; time += 1) {
      expect(await send('text/plain', query, authorization)).toBe(400);
      expect(await send('application/json', query, authorization)).toBe(200);
    }
    return send('text/plain', query, authorization);
  };
  expect(await repeat('{ __typename }')).toBe(400);
  expect(await repeat('{ a: __typename }', 'demo-coop')).toBe(200);
  expect(await send('text/plain', '{ a: __typename }')).toBe(200);
  await pipeline.stop();
  await graph.close();
});

describe('the operation cache', () => {
  const schema = buildSchema('type Query { text: String, more: Query }');
  const documentOf = (text: string) => new ValidDocument(schema, parse(text));
  const operationOf = (document: ValidDocument) => document.operation(document.node.definitions[0] as never);
  const named = (name: string) => `query ${name} { text }`;
  const conditional = 'query ($a: Boolean!, $b: Boolean!) { text @skip(if: $a) more @skip(if: $b) { text } }';
  const addTwice = (cache: OperationCache, text: string) => {
    for (let time = 0; time < 2; time += 1) cache.add(text, documentOf(text));
  };

  test('has a document that came twice, and none that came once', () => {
    const cache = new OperationCache(100_000);
    cache.add(named('Once'), documentOf(named('Once')));
    addTwice(cache, named('Twice'));
    expect(cache.document(named('Once'))).toBeUndefined();
    expect(cache.document(named('Twice'))?.node).toEqual(parse(named('Twice')));
  });

  test('has a tree that was made twice, and none that was made once', () => {
    const cache = new OperationCache(100_000);
    const operation = operationOf(documentOf(conditional));
    const made = [
      { a: true, b: false },
      { a: false, b: true },
      { a: true, b: false },
    ];
    for (const variables of made) cache.add(operation.treeKey(variables), operation.tree(variables));
    expect(cache.tree(operation.treeKey({ a: true, b: false }))?.fields.map(({ key }) => key)).toEqual(['more']);
    expect(cache.tree(operation.treeKey({ a: false, b: true }))).toBeUndefined();
  });

  test('evicts what was used least recently, one document or tree at a time', () => {
    const cache = new OperationCache(50_000);
    const used = operationOf(documentOf(conditional));
    const key = used.treeKey({ a: false, b: false });
    for (let time = 0; time < 2; time += 1) cache.add(key, used.tree({ a: false, b: false }));
    addTwice(cache, named('Used'));
    for (let number = 0; number < 100; number += 1) {
      addTwice(cache, named(`Other${number}`));
      expect(cache.document(named('Used'))).toBeDefined();
      expect(cache.tree(key)).toBeDefined();
      expect(cache.bytes).toBeLessThanOrEqual(cache.maxBytes);
    }
    expect(cache.document(named('Other0'))).toBeUndefined();
    expect(cache.document(named('Other99'))).toBeDefined();
  });

  test('counts the fields of a tree once for each type that objects may have', () => {
    const types = buildSchema(`
      interface Named { name: String, friend: Named }
      type Cat implements Named { name: String, friend: Named }
      type Dog implements Named { name: String, friend: Named }
      type Query { named: Named }`);
    const bytesOf = (text: string) => {
      const cache = new OperationCache(1_000_000);
      const operation = operationOf(new ValidDocument(types, parse(text)));
      for (let time = 0; time < 2; time += 1) cache.add(operation.treeKey({}), operation.tree({}));
      return cache.bytes;
    };
    const [one, two, three] = ['name', 'friend { name }', 'friend { friend { name } }'].map((below) =>
      bytesOf(`{ named { ${below} } }`),
    );
    expect(three! - two!).toBe(two! - one!);
  });

  test('has neither a document nor a tree that takes a quarter of the bound', () => {
    const cache = new OperationCache(20_000);
    const large = `{ ${Array.from({ length: 20 }, (_, number) => `a${number}: text`)} }`;
    addTwice(cache, large);
    const operation = operationOf(documentOf(large));
    for (let time = 0; time < 2; time += 1) cache.add(operation.treeKey({}), operation.tree({}));
    expect(cache.bytes).toBe(0);
  });

  test('takes no text for the key of a tree', async () => {
    const cache = new OperationCache(100_000);
    const operation = operationOf(documentOf(named('A')));
    const key = operation.treeKey({});
    for (let time = 0; time < 2; time += 1) cache.add(key, operation.tree({}));
    expect(cache.tree(key)).toBeDefined();
    expect(cache.document(key)).toBeUndefined();
  });
});

describe('the memory of documents', () => {
  const bytes = async () =>
    (await scrape(gateway.url)).find(
      ({ name, labels }) => name === 'gateway_memory_bytes' && labels.share === 'documents',
    )?.value;
  const sendAll = async (prefix: string, times: number, headers: Sent['headers'] = {}) => {
    for (let time = 0; time < times; time += 1) {
      for (let number = 0; number < 10; number += 1) {
        const query = `query ($v: Boolean!) { ${prefix}${number}: farmers(limit: 1) { count results @skip(if: $v) { id } } }`;
        await ask({ headers, body: { query, variables: { v: number % 2 === 0 } } });
      }
    }
  };

  test('grows by what came twice, and not by what came once or without a key', async () => {
    const before = await bytes();
    expect(before).toEqual(expect.any(Number));
    await sendAll('once', 1);
    await sendAll('keyless', 3, noKey);
    expect(await bytes()).toBe(before);
    await sendAll('twice', 2);
    expect(await bytes()).toBeGreaterThan(before!);
  });
});
