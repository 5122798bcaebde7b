import type { Json } from '@gateway/base';
import type { GraphQLFieldResolver } from 'graphql';
import { expect, test } from 'vitest';
import { showDerived } from '../graph/derived.ts';
import { objectOf } from '../graph/references.ts';
import type { PlanDerived } from '../plan/plan.ts';
import type { App } from '../request/app.ts';
import type { RequestContext } from '../request/context.ts';
import { startDescribed } from './described-service.ts';
import { document } from './notes.ts';

/** Notes belong to a museum, which only a list gives, or to a collector. */
const museum = document({
  parameter:
    '{ name: year, in: query, description: x, x-shown-by: [year], x-only-in: plain, schema: { type: integer } }, ',
  properties: '        year: { type: integer }\n        owner: { type: string, x-reference: Owner }',
  paths: `
  /museums:
    get:
      operationId: listMuseums
      tags: [Notes]
      description: Museums.
      parameters: [{ $ref: "#/components/parameters/limit" }, { $ref: "#/components/parameters/offset" }]
      responses: { "200": { description: x, content: { application/json: { schema: { $ref: "#/components/schemas/MuseumPage" } } } } }
    post:
      operationId: createMuseum
      tags: [Notes]
      description: Adds a museum.
      requestBody: { required: true, description: x, content: { application/json: { schema: { $ref: "#/components/schemas/MuseumWrite" } } } }
      responses: { "201": { description: x, content: { application/json: { schema: { $ref: "#/components/schemas/Museum" } } } } }
  /collectors/{id}:
    get:
      operationId: getCollector
      tags: [Notes]
      description: A collector.
      parameters: [{ $ref: "#/components/parameters/id" }]
      responses: { "200": { description: x, content: { application/json: { schema: { $ref: "#/components/schemas/Collector" } } } } }`,
  schemas: `
    Owner: { oneOf: [{ $ref: "#/components/schemas/Collector" }, { $ref: "#/components/schemas/Museum" }], x-unknown: UnknownOwner }
    Museum: { type: object, required: [id], properties: { id: { type: string }, name: { type: string } } }
    MuseumWrite: { type: object, required: [name], example: { name: Louvre }, properties: { name: { type: string } } }
    MuseumPage:
      type: object
      required: [total, rows]
      properties: { total: { type: integer }, rows: { type: array, items: { $ref: "#/components/schemas/Museum" } } }
    Collector: { type: object, required: [id], properties: { id: { type: string }, name: { type: string } } }`,
  wire: '  wholeBody: [detail]\n  dialects: { plain: { times: iso } }',
});

async function startMuseum(fields: App['fields'] = []) {
  const museums = [{ id: 'm1', name: 'Rijksmuseum' }];
  const notes = ['m1', 'c1', 'none'].map((owner, n) => ({ id: `n${n}`, year: 1900 + n, owner }));
  const page = (rows: object[]) => ({ status: 200, body: { total: rows.length, rows } });
  return startDescribed({ document: museum, fields }, ({ method, path, body }) => {
    const { pathname, searchParams } = new URL(path, 'http://museum');
    if (method === 'POST') {
      const made = { id: `m${museums.length + 1}`, ...(body as { name: string }) };
      museums.push(made);
      return { status: 201, body: made };
    }
    if (pathname === '/museums') return page(museums);
    if (pathname === '/collectors/c1') return { status: 200, body: { id: 'c1', name: 'Ama' } };
    if (pathname !== '/notes') return { status: 404, body: { detail: 'Not found.' } };
    const year = searchParams.get('year');
    if (year !== null && !/^\d+$/.test(year)) return { status: 422, body: { year: ['must be a number'] } };
    return page(notes.filter((note) => year === null || note.year === Number(year)));
  });
}

const named = '__typename ... on Museum { name } ... on Collector { name }';

test('a reference of two kinds finds the one that only a list gives', async () => {
  const { query } = await startMuseum();
  const { data, errors, calls } = await query(`{ notes { results { owner { ${named} } } } }`);

  expect(data.notes.results).toEqual([
    { owner: { __typename: 'Museum', name: 'Rijksmuseum' } },
    { owner: { __typename: 'Collector', name: 'Ama' } },
    { owner: null },
  ]);
  expect(errors).toMatchObject([{ path: ['notes', 'results', 2, 'owner'] }]);
  expect(errors[0].extensions.code).toMatch(/^(NOT_FOUND|REFERENCE_UNRESOLVED)$/);
  expect(calls.filter((call) => call.startsWith('GET /collectors/')).toSorted()).toEqual([
    'GET /collectors/c1',
    'GET /collectors/m1',
    'GET /collectors/none',
  ]);
  expect(calls.filter((call) => call.startsWith('GET /museums')).length).toBeGreaterThan(0);

  const one = await query(`{ owner(id: "m1") { ${named} } }`);
  expect([one.data, one.errors]).toEqual([{ owner: { __typename: 'Museum', name: 'Rijksmuseum' } }, []]);
});

test('a cached list shows what its own caller has added, though the contract does not say that it changes', async () => {
  const { query } = await startMuseum();
  const list = '{ museums { results { name } } }';
  expect((await query(list)).data.museums.results).toEqual([{ name: 'Rijksmuseum' }]);
  expect((await query(list)).calls).toEqual([]);
  await query('mutation { createMuseum(input: { name: "Louvre" }) { id } }');

  expect((await query(list)).data.museums.results).toEqual([{ name: 'Rijksmuseum' }, { name: 'Louvre' }]);
});

test('a filter of numbers is checked with a number', async () => {
  const { query } = await startMuseum();
  const { data, errors, calls } = await query('{ notes(year: 1901) { results { id } } }');

  expect([data, errors]).toEqual([{ notes: { results: [{ id: 'n1' }] } }, []]);
  expect(calls.find((call) => call.includes('2147483647'))).toBeDefined();
});

test('a derived field of the app replaces a reference, with its plan', async () => {
  const derived: PlanDerived = (field) => ({
    ...{ field, name: 'Note.owner', objects: 0, below: undefined, items: 0 },
    cost: ({ objects }) => objects('Museum', []),
    load: async ({ id }) => ({ value: { __typename: 'Museum', id, name: `Owner of ${id}` }, objects: [] }),
  });
  const { query } = await startMuseum([{ Note: { owner: { resolve: showDerived, extensions: { derived } } } }]);
  const { data, errors, calls } = await query(`{ notes(limit: 1) { results { owner { ${named} } } } }`);

  expect(errors).toEqual([]);
  expect(data.notes.results).toEqual([{ owner: { __typename: 'Museum', name: 'Owner of n0' } }]);
  expect(calls).toEqual(['GET /notes?limit=1&offset=0']);
});

test('a resolver of the app alone reads what the reference has loaded', async () => {
  const owner: GraphQLFieldResolver<Json, RequestContext> = (note, _args, context, info) => {
    const found = objectOf(note.owner as string, 'Owner', context, info);
    return found && { ...found, name: `${(found as Json).name} of ${note.id}` };
  };
  const { query } = await startMuseum([{ Note: { owner } }]);
  const { data, errors } = await query(`{ notes(limit: 1) { results { owner { ${named} } } } }`);

  expect(errors).toEqual([]);
  expect(data.notes.results).toEqual([{ owner: { __typename: 'Museum', name: 'Rijksmuseum of n0' } }]);
});
