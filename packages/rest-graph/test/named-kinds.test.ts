import { buildSchema } from 'graphql';
import { expect, test } from 'vitest';
import { described, startDescribed } from './described-service.ts';
import { document, kind, owned } from './notes.ts';

const objects: Record<string, object> = {
  '/museums/1': { id: '1', name: 'Rijksmuseum' },
  '/collectors/1': { id: '1', name: 'Ama' },
  '/collectors/2': { id: '2', name: 'Kofi' },
};

function startOwned(notes: object[]) {
  return startDescribed({ document: owned }, ({ path }) => {
    const { pathname } = new URL(path, 'http://notes');
    if (pathname === '/notes') return { status: 200, body: { total: notes.length, rows: notes } };
    return objects[pathname]
      ? { status: 200, body: objects[pathname] }
      : { status: 404, body: { detail: 'Not found.' } };
  });
}

test('an id that two objects may have is an argument of their own fields alone', async () => {
  const fields = buildSchema(described(owned).typeDefs).getQueryType()?.getFields() ?? {};
  expect(Object.keys(fields).toSorted()).toEqual(['collector', 'museum', 'note', 'notes']);
});
const query = `{ notes { results { owner { __typename ... on Museum { name } ... on Collector { name } } } } }`;

test('objects of two kinds have one id, and each row shows that of the kind that it names', async () => {
  const owners = [
    ['museum', '1'],
    ['person', '1'],
    ['person', '2'],
    ['museum', '2'],
  ];
  const gateway = await startOwned(owners.map(([owner_type, owner], n) => ({ id: `n${n}`, owner_type, owner })));
  const { data, errors, calls } = await gateway.query(query);

  expect(data.notes.results).toEqual([
    { owner: { __typename: 'Museum', name: 'Rijksmuseum' } },
    { owner: { __typename: 'Collector', name: 'Ama' } },
    { owner: { __typename: 'Collector', name: 'Kofi' } },
    { owner: null },
  ]);
  expect(errors).toMatchObject([{ path: ['notes', 'results', 3, 'owner'] }]);
  expect(calls.filter((call) => !call.startsWith('GET /notes')).toSorted()).toEqual([
    'GET /collectors/1',
    'GET /collectors/2',
    'GET /museums/1',
    'GET /museums/2',
  ]);
});

test('a row embeds the object of the kind that it names', async () => {
  const gateway = await startOwned([
    { id: 'n1', owner_type: 'museum', owner: { id: '1', name: 'Rijksmuseum' } },
    { id: 'n2', owner_type: 'person', owner: { id: '1', name: 'Ama' } },
  ]);
  const { data, errors, calls } = await gateway.query(query);

  expect([data.notes.results.map(({ owner }: { owner: object }) => owner), errors]).toEqual([
    [
      { __typename: 'Museum', name: 'Rijksmuseum' },
      { __typename: 'Collector', name: 'Ama' },
    ],
    [],
  ]);
  expect(calls.filter((call) => !call.startsWith('GET /notes'))).toEqual([]);
});

test('a way back has the rows of its own kind', async () => {
  const gateway = await startOwned(
    ['person', 'museum', 'person'].map((owner_type, n) => ({
      ...{ id: `n${n}`, made: `2026-01-0${9 - n}T00:00:00Z` },
      ...{ owner_type, owner: '1' },
    })),
  );
  const { data, errors } = await gateway.query(
    `{ museum(id: "1") { notes { results { id } } } collector(id: "1") { notes { results { id } } } }`,
  );

  expect([data, errors]).toEqual([
    {
      museum: { notes: { results: [{ id: 'n1' }] } },
      collector: { notes: { results: [{ id: 'n0' }, { id: 'n2' }] } },
    },
    [],
  ]);
});

test('a row that names no kind shows an object of either', async () => {
  const gateway = await startOwned([{ id: 'n1', owner_type: null, owner: '2' }]);
  const { data, calls } = await gateway.query(query);

  expect(data.notes.results).toEqual([{ owner: { __typename: 'Collector', name: 'Kofi' } }]);
  expect(calls.at(-1)).toBe('GET /collectors/2');
});

test('an object inside another one that does not name its kind says nothing of an object of the same id', async () => {
  const notes = [
    { id: 'n1', owner_type: 'museum', owner: '1', next: { id: 'n2', owner: { id: '1', name: 'Ama' } } },
    { id: 'n3', owner_type: 'person', owner: '2', next: null },
  ];
  const embedding = owned.replace(
    'owner: { type: string, x-reference: Owner }',
    'owner: { type: string, x-reference: { to: Owner, mayBeEmbedded: true } }\n        next: { type: string, x-reference: { to: Note, mayBeEmbedded: true } }',
  );
  const { query: ask } = await startDescribed({ document: embedding }, ({ path }) =>
    path.startsWith('/notes?')
      ? { status: 200, body: { total: notes.length, rows: notes } }
      : { status: 200, body: objects[path] ?? {} },
  );
  const { data } = await ask(query);
  expect(data.notes.results).toEqual([
    { owner: { __typename: 'Museum', name: 'Rijksmuseum' } },
    { owner: { __typename: 'Collector', name: 'Kofi' } },
  ]);
});

test('a way back along references to two kinds has the rows of each of them alone', async () => {
  const both = document({
    parameter:
      '{ name: museum, in: query, x-shown-by: [museum], description: x, schema: { type: string, x-reference: Museum } }, ',
    properties: `        made: { type: string, format: date-time }
        museum: { type: string, x-reference: Museum }
        collector: { type: string, x-reference: Collector }`,
    paths: kind('Museum', 'museums') + kind('Collector', 'collectors'),
    schemas: `
    Museum: { type: object, required: [id], properties: { id: { type: string }, name: { type: string } } }
    Collector: { type: object, required: [id], properties: { id: { type: string }, name: { type: string } } }`,
    wire: '  wholeBody: [detail]\n  dialects: { plain: { times: iso } }',
  }).replace(
    'x-proves-key: true',
    `x-proves-key: true
      x-newest-first: made
      x-ways-back: [{ field: notes, of: [museum, collector], by: museum, description: The notes of both. }]`,
  );
  const rows = [
    { id: 'n1', made: '2026-01-03T00:00:00Z', museum: '1', collector: '2' },
    { id: 'n2', made: '2026-01-02T00:00:00Z', museum: null, collector: '1' },
    { id: 'n3', made: '2026-01-01T00:00:00Z', museum: '2', collector: '1' },
  ];
  const { query } = await startDescribed({ document: both }, ({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://notes');
    const museum = searchParams.get('museum');
    const shown = rows.filter((row) => museum === null || row.museum === museum);
    if (pathname === '/notes') return { status: 200, body: { total: shown.length, rows: shown } };
    return { status: 200, body: objects[pathname] };
  });
  const notes = 'notes { complete results { id } }';
  const { data, errors } = await query(`{ museum(id: "1") { ${notes} } collector(id: "1") { ${notes} } }`);
  expect([data, errors]).toEqual([
    {
      museum: { notes: { complete: true, results: [{ id: 'n1' }] } },
      collector: { notes: { complete: true, results: [{ id: 'n2' }, { id: 'n3' }] } },
    },
    [],
  ]);
});

test('objects of two unions have one id, and each reference shows an object of its own union', async () => {
  const oneOf = (first: string, second: string) =>
    `{ oneOf: [{ $ref: "#/components/schemas/${first}" }, { $ref: "#/components/schemas/${second}" }], x-unknown: Unknown${first} }`;
  const named = (name: string) =>
    `\n    ${name}: { type: object, required: [id], properties: { id: { type: string }, name: { type: string } } }`;
  const two = document({
    properties: `        owner: { type: string, x-reference: { to: Owner, mayBeEmbedded: true } }
        item: { type: string, x-reference: { to: Item, mayBeEmbedded: true } }`,
    paths: ['Museum', 'Collector', 'Painting', 'Statue'].map((name) => kind(name, `${name.toLowerCase()}s`)).join(''),
    schemas: `${['Museum', 'Collector', 'Painting', 'Statue'].map(named).join('')}
    Owner: ${oneOf('Collector', 'Museum')}
    Item: ${oneOf('Painting', 'Statue')}`,
    wire: '  wholeBody: [detail]\n  dialects: { plain: { times: iso } }',
  });
  const names: Record<string, string> = {
    ...{ '/museums/1': 'Rijksmuseum', '/collectors/2': 'Kofi' },
    ...{ '/statues/1': 'David', '/paintings/2': 'Guernica' },
  };
  const rows = [
    { id: 'n1', owner: { id: '1', name: 'Rijksmuseum' }, item: { id: '1', name: 'David' } },
    { id: 'n2', owner: { id: '2', name: 'Kofi' }, item: { id: '2', name: 'Guernica' } },
  ];
  const { query } = await startDescribed({ document: two }, ({ path }) => {
    if (path.startsWith('/notes?')) return { status: 200, body: { total: rows.length, rows } };
    const name = names[path];
    return name ? { status: 200, body: { id: path.at(-1), name } } : { status: 404, body: { detail: 'Not found.' } };
  });
  const byId = await query('{ owner(id: "1") { __typename name } item(id: "2") { __typename name } }');
  expect(byId.data).toEqual({
    owner: { __typename: 'Museum', name: 'Rijksmuseum' },
    item: { __typename: 'Painting', name: 'Guernica' },
  });
  const inRows = await query('{ notes { results { owner { id name } item { id name } } } }');
  expect([inRows.data.notes.results, inRows.errors]).toEqual([rows.map(({ owner, item }) => ({ owner, item })), []]);
});
