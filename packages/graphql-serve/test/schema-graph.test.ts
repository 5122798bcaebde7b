import { Writable } from 'node:stream';
import { withChanges } from '@gateway/base';
import {
  createLogger,
  defaultSettings,
  type Gateway,
  type SchemaContext,
  schemaGraph,
  serve,
} from '@gateway/graphql-serve';
import { GraphQLInt, GraphQLList, GraphQLObjectType, GraphQLScalarType, GraphQLSchema, GraphQLString } from 'graphql';
import { afterEach, expect, test, vi } from 'vitest';
import { clientOf } from '../../../test/support/client.ts';

/** Counts up each time that it reads a value. */
const Counted = new GraphQLScalarType<number, number>({ name: 'Counted', parseValue: (value) => Number(value) + 1 });
const Row: GraphQLObjectType<unknown, SchemaContext> = new GraphQLObjectType({
  name: 'Row',
  fields: () => ({
    later: { type: GraphQLInt, resolve: async () => 1 },
    rows: { type: new GraphQLList(Row), resolve: async () => [Promise.resolve({}), {}] },
  }),
});
const signals: AbortSignal[] = [];
const schema = new GraphQLSchema({
  query: new GraphQLObjectType<unknown, SchemaContext>({
    name: 'Query',
    fields: {
      row: { type: Row, resolve: async () => ({}) },
      counted: { type: Counted, args: { from: { type: Counted } }, resolve: (_parent, { from }) => from },
      fails: {
        type: GraphQLString,
        resolve() {
          throw new Error('a secret');
        },
      },
      hangs: {
        type: GraphQLString,
        resolve: (_parent, _args, { signal }) => {
          signals.push(signal);
          return new Promise(() => {});
        },
      },
    },
  }),
});

const opened: Gateway[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function open(timeoutMs?: number) {
  const lines: string[] = [];
  const output = new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) });
  const gateway = await serve(schemaGraph({ schema, ...(timeoutMs && { timeoutMs }) }), {
    settings: withChanges(defaultSettings, { server: { port: 0 } }),
    logger: createLogger({ level: 'info' }, output, 'Authorization'),
  });
  opened.push(gateway);
  const client = clientOf(gateway.url);
  const ask = async (query: string, variables = {}) => (await client.ask({ query, variables })).body;
  return { gateway, ask, lines };
}

test('resolvers of a plain schema may be promises at any depth', async () => {
  const { ask } = await open();

  expect(await ask('{ row { later rows { later rows { later } } } }')).toEqual({
    data: { row: { later: 1, rows: Array(2).fill({ later: 1, rows: Array(2).fill({ later: 1 }) }) } },
  });
});

test('a plain schema reads each variable once, also from the operation cache', async () => {
  const { ask } = await open();
  for (const from of [1, 1, 5]) {
    const { data } = await ask('query ($from: Counted) { counted(from: $from) }', { from });
    expect(data.counted).toBe(from + 1);
  }
});

test('an error of a resolver is masked and logged', async () => {
  const { ask, lines } = await open();
  const { data, errors } = await ask('{ fails row { later } }');

  expect(data).toEqual({ fails: null, row: { later: 1 } });
  expect(errors).toMatchObject([{ path: ['fails'], extensions: { code: 'INTERNAL_SERVER_ERROR' } }]);
  expect(JSON.stringify(errors)).not.toContain('secret');
  expect(lines.join()).toContain('Unforeseen error');
});

test('an operation that takes too long is answered, and its work is aborted', async () => {
  const { ask } = await open(50);
  const { data, errors } = await ask('{ hangs }');

  expect(data).toBeNull();
  expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_TIMEOUT', retryable: true } }]);
  expect(signals.at(-1)?.aborted).toBe(true);
});

test('the work for a client that has left is aborted', async () => {
  const { gateway } = await open();
  const before = signals.length;
  const client = new AbortController();
  const asked = fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{ hangs }"}',
    signal: client.signal,
  });
  await vi.waitFor(() => expect(signals.length).toBe(before + 1), { timeout: 30_000 });
  client.abort();
  await expect(asked).rejects.toThrow();

  await vi.waitFor(() => expect(signals.at(-1)?.aborted).toBe(true), { timeout: 30_000 });
});

test('a graph without costs refuses to estimate, and runs nothing', async () => {
  const { gateway } = await open();
  const { status, body } = await clientOf(gateway.url).ask(
    { query: '{ hangs }' },
    { headers: { 'x-trace-upstream': 'estimate' } },
  );
  expect([status, body.errors[0].extensions.code]).toEqual([400, 'BAD_USER_INPUT']);
});
