import { expect, test } from 'vitest';
import { described, startDescribed } from './described-service.ts';
import { document } from './notes.ts';

const page = (path: string, rows: string, keys = '') => `
  ${path}:
    get:
      operationId: list${rows}s
      tags: [Notes]
      description: Books.
      ${keys}
      parameters: [{ $ref: "#/components/parameters/limit" }, { $ref: "#/components/parameters/offset" }]
      responses: { "200": { description: x, content: { application/json: { schema: { $ref: "#/components/schemas/${rows}Page" } } } } }`;

/** Rows of books have no summary, no place and no sequel. A note refers to a book. */
const library = (keys?: string) =>
  document({
    properties:
      '        book: { type: string, x-reference: Book }\n        inside: { $ref: "#/components/schemas/Book" }',
    paths: `${page('/books', 'BookRow', keys)}
  /books/{id}:
    get:
      operationId: getBook
      tags: [Notes]
      description: A book.
      parameters: [{ $ref: "#/components/parameters/id" }]
      responses: { "200": { description: x, content: { application/json: { schema: { $ref: "#/components/schemas/Book" } } } } }`,
    schemas: `    BookRow:
      x-type: Book
      type: object
      required: [id]
      properties: { id: { type: string }, title: { type: string }, made: { type: string, format: date-time }, first: { type: string, x-reference: Book } }
    BookRowPage:
      type: object
      required: [total, rows]
      properties: { total: { type: integer }, rows: { type: array, items: { $ref: "#/components/schemas/BookRow" } } }
    Place: { type: object, properties: { shelf: { type: integer } } }
    Book:
      type: object
      required: [id]
      properties:
        id: { type: string }
        title: { type: string }
        made: { type: string, format: date-time }
        first: { type: string, x-reference: Book }
        summary: { type: string }
        place: { $ref: "#/components/schemas/Place" }
        sequel: { type: string, x-reference: Book }`,
    wire: '  wholeBody: [detail]\n  dialects: { plain: { times: iso } }',
  }).replace('operationId: listBookRows', 'operationId: listBooks');

const backToFirst =
  'x-newest-first: made\n      x-ways-back: [{ field: parts, of: [first], description: The parts of a book. }]';

function startLibrary({
  lost = [] as string[],
  keys = undefined as string | undefined,
  edition = (): number | string => '',
} = {}) {
  const rows = ['1', '2', '3'].map((id) => ({ id, title: `Book ${id}`, made: `2026-01-0${id}T00:00:00Z`, first: '1' }));
  return startDescribed({ document: library(keys) }, ({ path, headers }) => {
    if (path.startsWith('/notes?'))
      return {
        status: 200,
        body: { total: 3, rows: rows.map((inside) => ({ id: inside.id, book: inside.id, inside })) },
      };
    if (path.startsWith('/books?')) return { status: 200, body: { total: 3, rows: rows.toReversed() } };
    const row = rows.find(({ id }) => path === `/books/${id}`);
    if (!row || lost.includes(row.id)) return { status: 404, body: { detail: 'Not found.' } };
    const more = { summary: `For ${headers.authorization}${edition()}`, place: { shelf: Number(row.id) }, sequel: '3' };
    return { status: 200, body: { ...row, ...more } };
  });
}

test('a row gets what its list lacks by its id, where the selection needs it', async () => {
  const { query } = await startLibrary();
  const short = await query('{ books { results { id title first { title } } } }');
  expect(short.calls).toEqual(['GET /books?limit=20&offset=0']);
  expect(short.data.books.results[0]).toEqual({ id: '3', title: 'Book 3', first: { title: 'Book 1' } });

  const { data, errors, calls } = await query(
    '{ books(limit: 3) { results { title summary } edges { node { place { shelf } sequel { title sequel_id } } } } }',
  );
  expect(errors).toEqual([]);
  expect(data.books).toEqual({
    results: ['3', '2', '1'].map((id) => ({ title: `Book ${id}`, summary: 'For demo' })),
    edges: [3, 2, 1].map((shelf) => ({ node: { place: { shelf }, sequel: { title: 'Book 3', sequel_id: '3' } } })),
  });
  expect(calls.toSorted()).toEqual(['GET /books/1', 'GET /books/2', 'GET /books/3', 'GET /books?limit=3&offset=0']);
});

test('an estimate counts the reads by id of rows that lack something', async () => {
  const { query } = await startLibrary();
  const expected = async (document: string) => {
    const { upstream } = await query(document, {}, 'demo', { 'x-trace-upstream': 'estimate' });
    return upstream.estimate.expected.calls;
  };
  expect(await expected('{ books(limit: 3) { results { title } } }')).toBe(1);
  expect(await expected('{ books(limit: 3) { results { summary } } }')).toBe(4);
  expect(await expected('{ books(limit: 3) { edges { node { summary } } } }')).toBe(4);
  expect(await expected('{ books(limit: 3) { results { summary } edges { node { summary } } } }')).toBe(4);
  expect(await expected('{ books(limit: 3) { results { title } edges { node { summary } } } }')).toBe(4);
  expect(await expected('{ book(id: "1") { summary } }')).toBe(1);
});

test('a reference shows the whole object, beside the row of a list too', async () => {
  const { query } = await startLibrary();
  const alone = await query('{ notes { results { book { title summary } } } }');
  const expected = ['1', '2', '3'].map((id) => ({ book: { title: `Book ${id}`, summary: 'For demo' } }));
  expect([alone.data.notes.results, alone.errors]).toEqual([expected, []]);

  const { data } = await query('{ books { results { title } } notes { results { book { summary } } } }');
  expect(data.notes.results).toEqual(expected.map(({ book: { summary } }) => ({ book: { summary } })));
});

test('rows of a way back are whole too', async () => {
  const { query } = await startLibrary({ keys: backToFirst });
  const { data, errors } = await query('{ book(id: "1") { parts(limit: 2) { results { id summary } } } }');
  expect([data, errors]).toEqual([
    { book: { parts: { results: ['3', '2'].map((id) => ({ id, summary: 'For demo' })) } } },
    [],
  ]);
});

test('fields that a row lacks have the error of its read, and all others stay', async () => {
  const { query } = await startLibrary({ lost: ['2'] });
  const { data, errors } = await query('{ books { results { title summary sequel_id } } }');
  expect(data.books.results).toEqual([
    { title: 'Book 3', summary: 'For demo', sequel_id: '3' },
    { title: 'Book 2', summary: null, sequel_id: null },
    { title: 'Book 1', summary: 'For demo', sequel_id: '3' },
  ]);
  const reference = { type: 'Book', id: '2' };
  expect(errors).toMatchObject(
    ['summary', 'sequel_id'].map((field) => ({
      path: ['books', 'results', 1, field],
      extensions: { code: 'REFERENCE_NOT_FOUND', reference },
    })),
  );
});

test('callers who get equal rows see what each of them may read by id', async () => {
  const { query } = await startLibrary();
  for (const key of ['one', 'two', 'one', 'two']) {
    const { data } = await query('{ books { results { summary } } }', {}, key);
    expect(data.books.results).toEqual([1, 2, 3].map(() => ({ summary: `For ${key}` })));
  }
});

test('callers see what each of them may read of an object inside a row, and as it is now', async () => {
  let edition = 0;
  const lost = ['3'];
  const { query } = await startLibrary({ lost, edition: () => edition });
  const ask = (key: string) => query('{ notes { results { inside { title summary } } } }', {}, key);
  const [, , unread] = (await ask('one')).data.notes.results;
  expect(unread).toEqual({ inside: { title: 'Book 3', summary: null } });
  lost.pop();
  for (const key of ['one', 'two', 'one', 'two']) {
    edition += 1;
    const { data } = await ask(key);
    const summary = `For ${key}${edition}`;
    expect(data.notes.results).toEqual([1, 2, 3].map((id) => ({ inside: { title: `Book ${id}`, summary } })));
  }
});

test('a key of a list cannot name what its rows lack', () => {
  expect(() => described(library(backToFirst.replace('of: [first]', 'of: [sequel]')))).toThrow(
    'paths./books.get: its rows lack sequel, which a key of the list names',
  );
});
