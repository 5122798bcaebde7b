import { buildSchema, type OperationDefinitionNode, parse } from 'graphql';
import { expect, test } from 'vitest';
import { AnswerLimit } from '../../packages/base/executor/answer-limit.ts';
import { execute } from '../../packages/base/executor/execute.ts';
import { ValidDocument } from '../../packages/base/executor/operation.ts';
import { stringifyInSlices } from '../../packages/graphql-serve/operations/slices.ts';
import { codesOf } from '../support/client.ts';
import { type FakedGateway, startFakedGateway } from '../support/harness.ts';

/** A gateway over a service with one company. */
async function gatewayOver(company: object, settings: Record<string, string>): Promise<FakedGateway> {
  const gateway = await startFakedGateway(settings);
  gateway.upstream.respond = () => ({ body: JSON.stringify({ id: 'C', ...company }) });
  return gateway;
}

function objectsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const below = Object.values(value).reduce((sum: number, each) => sum + objectsIn(each), 0);
  return Array.isArray(value) ? below : below + 1;
}

const field = (id: string) => ({ id, label: 'A label', type: 'TEXT' });
const forms = Array.from({ length: 4 }, (_, form) => ({
  id: `form-${form}`,
  fields: Array.from({ length: 10 }, (_, index) => field(`${form}-${index}`)),
}));

test.each([
  ['embedded lists', '{ company(id: "C") { id forms { id fields { id } } } }'],
  ['aliases', '{ company(id: "C") { a: forms { id } b: forms { id } c: forms { id fields { id } } d: forms { id } } }'],
  [
    'fragments',
    '{ company(id: "C") { forms { ...F a: fields { ...G } } } } fragment F on Form { fields { ...G } } fragment G on FormField { id }',
  ],
  ['root fields', '{ a: company(id: "C") { forms { id } } b: company(id: "C") { forms { fields { id } } } }'],
])('counts each object of %s', async (_name, document) => {
  await using gateway = await gatewayOver({ forms }, { 'limits.operations.objects': '30' });
  // The second time the operation comes from the cache.
  for (let time = 0; time < 2; time += 1) {
    const { data, errors } = await gateway.query(document);
    expect(errors).toEqual([
      expect.objectContaining({
        message: expect.stringContaining('more than 30 objects (limits.operations.objects)'),
        extensions: expect.objectContaining({ code: 'QUERY_TOO_COMPLEX', retryable: false }),
      }),
    ]);
    expect(objectsIn(data)).toBeGreaterThan(5);
    // The answer itself holds the root, which is no object of the service.
    expect(objectsIn(data)).toBeLessThanOrEqual(31);
  }
});

test('shows an answer of exactly as many objects as the limit without an error', async () => {
  const document = '{ company(id: "C") { forms { fields { id } } } }';
  for (const [max, codes] of [
    ['45', []],
    ['44', ['QUERY_TOO_COMPLEX']],
  ] as const) {
    await using gateway = await gatewayOver({ forms }, { 'limits.operations.objects': max });
    const { data, errors } = await gateway.query(document);
    expect(codesOf({ errors })).toEqual(codes);
    expect(data.company.forms?.at(-1)?.fields?.length).toBe(codes.length === 0 ? 10 : undefined);
  }
});

test('counts errors, and shows one in place of all that do not fit', async () => {
  const odd = Array.from({ length: 50 }, (_, index) => ({ id: `${index}`, form_type: 7 }));
  await using gateway = await gatewayOver({ forms: odd }, { 'limits.operations.objects': '200' });
  const { errors } = await gateway.query('{ company(id: "C") { forms { id form_type } } }');
  const codes = codesOf({ errors });
  expect(codes.filter((code) => code === 'QUERY_TOO_COMPLEX')).toHaveLength(1);
  expect(codes.filter((code) => code === 'UPSTREAM_INVALID_RESPONSE').length).toBeLessThan(20);
});

const long = 'x'.repeat(100_000);

test.each([
  ['texts', { name: long }, Array.from({ length: 20 }, (_, at) => `a${at}: name`)],
  [
    'embedded texts',
    { forms: [{ ...forms[0], fields: [{ ...field('a'), label: long }] }] },
    Array.from({ length: 20 }, (_, at) => `a${at}: forms { fields { label } }`),
  ],
  ['keys', { forms }, [`forms { fields { ${'k'.repeat(50_000)}: id } }`]],
])('does not show %s beyond MAX_ANSWER_BYTES', async (_name, company, fields) => {
  await using gateway = await gatewayOver(company, { MAX_ANSWER_BYTES: '1MiB' });
  for (let time = 0; time < 2; time += 1) {
    const { text, body } = await gateway.ask(`{ company(id: "C") { id ${fields.join(' ')} } }`);
    expect(body.errors).toEqual([
      expect.objectContaining({
        message: expect.stringContaining('MAX_ANSWER_BYTES'),
        extensions: expect.objectContaining({ code: 'QUERY_TOO_COMPLEX' }),
      }),
    ]);
    expect(text.length).toBeLessThan(2 ** 20);
  }
});

test.each([
  ['a short answer', 10_000, '20kB'],
  ['a long answer', 900_000, '2MiB'],
])('shows no data of %s whose escapes exceed MAX_ANSWER_BYTES', async (_name, characters, max) => {
  await using gateway = await gatewayOver({ name: '\u0001'.repeat(characters) }, { MAX_ANSWER_BYTES: max });
  for (let time = 0; time < 2; time += 1) {
    const { status, body } = await gateway.ask('{ company(id: "C") { id name } }');
    expect({ status, data: body.data, codes: codesOf(body) }).toEqual({
      status: 200,
      data: null,
      codes: ['QUERY_TOO_COMPLEX'],
    });
  }
});

test('sends a long answer whole, with its errors and extensions', async () => {
  const name = `Amâ "🌱" ${long}`;
  const many = Array.from({ length: 2_000 }, (_, at) => ({ id: `${at}`, fields: [field('é')], form_type: null }));
  await using gateway = await gatewayOver({ name, forms: [...many, { id: 'odd', form_type: 7 }] }, {});
  const fields = Array.from({ length: 10 }, (_, at) => `a${at}: name`).join(' ');
  const query = `{ company(id: "C") { id ${fields} forms { id form_type fields { id label } } none: entity_card { id } } }`;
  // Apollo Server answers the first, and the cache the second.
  for (let time = 0; time < 2; time += 1) {
    const { status, headers, text, body } = await gateway.ask(query, {
      headers: { 'x-trace-upstream': 'true', 'accept-encoding': 'identity' },
    });
    expect(status).toBe(200);
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(Object.keys(body)).toEqual(['errors', 'data', 'extensions']);
    expect(codesOf(body)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(body.data.company).toMatchObject({ id: 'C', a0: name, a9: name });
    expect(body.data.company.forms.slice(0, 2_000)).toEqual(
      many.map(({ id, fields }) => ({ id, form_type: null, fields: fields.map(({ id, label }) => ({ id, label })) })),
    );
  }
});

test('refuses an operation that would hold more than the running operations may, and serves small ones', async () => {
  await using gateway = await startFakedGateway(
    { MAX_UPSTREAM_ANSWER_BYTES: '1MiB' },
    { file: { limits: { operations: { memoryBytes: '4MiB' } } } },
  );
  gateway.upstream.respond = ({ path }) => ({
    body: JSON.stringify({
      id: /(\w+)\/$/.exec(path)?.[1],
      first_name: 'x'.repeat(path.includes('small') ? 10 : 200_000),
    }),
  });
  const fields = Array.from({ length: 20 }, (_, at) => `a${at}: farmer(id: "f${at}") { id }`);
  const { data, errors } = await gateway.query(`{ ${fields.join(' ')} }`);

  expect(new Set(codesOf({ errors }))).toEqual(new Set(['OVERLOADED']));
  expect(errors[0]).toMatchObject({
    message: expect.stringContaining('limits.operations.memoryBytes'),
    extensions: { retryable: true, retry_after: 1 },
  });
  expect(Object.values(data).filter((farmer) => farmer !== null).length).toBeGreaterThan(0);
  expect((await gateway.query('{ farmer(id: "small") { id } }')).errors).toEqual([]);
  const metrics = await (await gateway.send({ method: 'GET', path: '/metrics' })).text();
  expect(metrics).toMatch(/^gateway_memory_bytes{share="running_operations"} 0$/m);
});

/** Counts the turns of the event loop while something runs. */
async function turnsDuring(run: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await run();
  isOver = true;
  return turns;
}

test('counts the characters of a value of JSON wherever it stands', async () => {
  const schema = buildSchema('scalar JSON type Query { land: JSON, none: JSON }');
  const document = parse('{ a: land b: land none }');
  const operation = new ValidDocument(schema, document).operation(document.definitions[0] as OperationDefinitionNode);
  const land = [{ corners: Array.from({ length: 10_000 }, (_, n) => n) }];
  schema.getQueryType()!.getFields().land!.resolve = () => land;
  const answer = new AnswerLimit();
  const args = { operation, tree: operation.tree({}), variableValues: {}, contextValue: undefined, answer };

  expect(await execute(args)).toEqual({ data: { a: land, b: land, none: null } });
  expect(answer.characters).toBeGreaterThanOrEqual(2 * JSON.stringify(land).length);
});

test('gives others their turn while a long answer is made', async () => {
  const schema = buildSchema('type Query { rows: [Row!]! } type Row { id: ID! }');
  const document = parse('{ rows { id } }');
  const operation = new ValidDocument(schema, document).operation(document.definitions[0] as OperationDefinitionNode);
  const rows = Array.from({ length: 4_000 }, (_, id) => ({ id: `${id} ${'x'.repeat(1_000)}` }));
  schema.getQueryType()!.getFields().rows!.resolve = () => rows;
  const args = { operation, tree: operation.tree({}), variableValues: {}, contextValue: undefined };

  expect(await turnsDuring(() => execute(args))).toBeGreaterThanOrEqual(9);
  expect(await execute(args)).toEqual({ data: { rows } });
  const value = { rows: [...rows, { texts: Array.from({ length: 20 }, () => long) }], none: undefined };
  expect(await turnsDuring(() => stringifyInSlices(value, 2 ** 30))).toBeGreaterThanOrEqual(5);
  expect((await stringifyInSlices(value, 2 ** 30))?.toString()).toBe(`${JSON.stringify(value)}\n`);
});

test('gives others their turn while it refuses long lists', async () => {
  const schema = buildSchema('type Query { rows: [Row!]! } type Row { items: [Row!] }');
  const document = parse('{ rows { items { __typename } } }');
  const operation = new ValidDocument(schema, document).operation(document.definitions[0] as OperationDefinitionNode);
  const items = Array.from({ length: 2_000 }, () => ({}));
  schema.getQueryType()!.getFields().rows!.resolve = () => Array.from({ length: 500 }, () => ({ items }));
  const answer = new AnswerLimit({ objects: 1_000, answerBytes: 1_000_000 });
  const args = { operation, tree: operation.tree({}), variableValues: {}, contextValue: undefined, answer };

  expect(await turnsDuring(() => execute(args))).toBeGreaterThanOrEqual(9);
});
