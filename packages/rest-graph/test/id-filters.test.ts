import { expect, test } from 'vitest';
import { startDescribed } from './described-service.ts';
import { document, kind } from './notes.ts';

/** Notes by an author, whom rows may embed. Some notes quote others. */
const notes = document({
  parameter: ['author', 'quotes']
    .map((name, at) => {
      const to = ['Author', 'Note'][at];
      return `{ name: ${name}, in: query, x-shown-by: [${name}], description: x, schema: { type: string, x-reference: ${to} } }, `;
    })
    .join(''),
  properties: `        author: { type: string, x-reference: { to: Author, mayBeEmbedded: true } }
        quotes: { type: array, items: { type: string, x-reference: Note } }`,
  paths: kind('Author', 'authors'),
  schemas: '    Author: { type: object, required: [id], properties: { id: { type: string }, name: { type: string } } }',
  wire: '  wholeBody: [detail]\n  dialects: { plain: { times: iso } }',
});

const rows = [
  { id: 'n1', author: { id: 'a1', name: 'Ama' }, quotes: ['n2', 'n3'] },
  { id: 'n2', author: { id: 'a2', name: 'Kofi' }, quotes: [] },
  { id: 'n3', author: { id: 'a1', name: 'Ama' }, quotes: ['n2'] },
];

function startNotes({ appliesFilters }: { appliesFilters: boolean }) {
  return startDescribed({ document: notes }, ({ path }) => {
    const { searchParams } = new URL(path, 'http://notes');
    const [author, quoted] = ['author', 'quotes'].map((name) => (appliesFilters ? searchParams.get(name) : null));
    const found = rows.filter(
      (row) => (!author || row.author.id === author) && (!quoted || row.quotes.includes(quoted)),
    );
    return { status: 200, body: { total: found.length, rows: found.slice(0, Number(searchParams.get('limit'))) } };
  });
}

test.each([
  ['an object that rows embed', 'author: "a1"', ['n1', 'n3']],
  ['one of several objects', 'quotes: "n3"', ['n1']],
])(
  'a filter by %s gives the rows that match, and is refused where the service ignores it',
  async (_what, filter, ids) => {
    const document = `{ notes(${filter}) { count results { id } } }`;
    const applying = await (await startNotes({ appliesFilters: true })).query(document);
    expect([applying.data.notes, applying.errors]).toEqual([
      { count: ids.length, results: ids.map((id) => ({ id })) },
      [],
    ]);

    const ignoring = await (await startNotes({ appliesFilters: false })).query(document);
    expect(ignoring.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  },
);

test.each(['a1', 'a2'])('a filter by an object whose id follows a label is applied: %s', async (author) => {
  const labelled = notes.replace('    Author: { type: object,', '    Author: { type: object, x-labelled-id: true,');
  const shown = rows.map((row) => ({ ...row, author: `${row.author.name} - ${row.author.id}` }));
  const asked: (string | null)[] = [];
  const { query } = await startDescribed({ document: labelled }, ({ path }) => {
    const by = new URL(path, 'http://notes').searchParams.get('author');
    asked.push(by);
    const found = shown.filter((row) => by === null || row.author.endsWith(` ${by}`));
    return { status: 200, body: { total: found.length, rows: found } };
  });
  const { data, errors } = await query(`{ notes(author: "${author}") { results { id author_id } } }`);
  const results = rows.filter((row) => row.author.id === author).map(({ id }) => ({ id, author_id: author }));
  expect([data.notes.results, errors]).toEqual([results, []]);
  expect(asked.filter((by) => by?.includes(' '))).toEqual([]);
});

test('a filter is applied though all ids of the newest row are that of the filter', async () => {
  const numbered = ['1', '2', '3', '4'].map((id) => ({ id, author: id === '4' ? '2' : '1', quotes: ['1'] }));
  const { query } = await startDescribed({ document: notes }, ({ path }) => {
    const { searchParams } = new URL(path, 'http://notes');
    const author = searchParams.get('author');
    const found = numbered.filter((row) => author === null || row.author === author);
    return { status: 200, body: { total: found.length, rows: found.slice(0, Number(searchParams.get('limit'))) } };
  });
  const { data, errors } = await query('{ notes(author: "1", limit: 2) { count results { id } } }');
  expect([data.notes, errors]).toEqual([{ count: 3, results: [{ id: '1' }, { id: '2' }] }, []]);
});

test('a filter by a number is applied where rows have the id in one property and the object in another', async () => {
  const numbered = document({
    parameter:
      '{ name: author, in: query, x-shown-by: [author_id], description: x, schema: { type: integer, x-reference: Author } }, ',
    properties: `        author_id: { type: integer, x-reference: Author }
        author: { $ref: "#/components/schemas/Author" }`,
    paths: kind('Author', 'authors').replace(
      '{ $ref: "#/components/parameters/id" }',
      '{ name: id, in: path, required: true, description: x, schema: { type: integer } }',
    ),
    schemas:
      '    Author: { type: object, required: [id], properties: { id: { type: integer }, name: { type: string } } }',
  });
  const written = [
    { id: 'n1', author_id: 7, author: { id: 7, name: 'Ama' } },
    { id: 'n2', author_id: 7 },
    { id: 'n3', author_id: 8 },
  ];
  const { query } = await startDescribed({ document: numbered }, ({ path }) => {
    const author = new URL(path, 'http://notes').searchParams.get('author');
    const found = written.filter(({ author_id }) => author === null || String(author_id) === author);
    return { status: 200, body: { total: found.length, rows: found } };
  });
  const { data, errors } = await query('{ notes(author: "7") { results { id author_id } } }');
  const results = ['n1', 'n2'].map((id) => ({ id, author_id: '7' }));
  expect([data.notes, errors]).toEqual([{ results }, []]);
});
