import { expect, test } from 'vitest';
import { described, startDescribed } from './described-service.ts';
import { document, pageOf } from './notes.ts';

const tags = '{ name: "tags[]", in: query, x-shown-by: [tags], schema: { type: array, items: { type: string } } }';
const reference = '{ type: integer, x-reference: Note }';
const of = `{ name: of, in: query, explode: false, schema: { type: array, items: ${reference} } }`;
const size = '{ name: size, in: query, style: pipeDelimited, schema: { type: array, items: { type: number } } }';
const options = '{ name: options, in: query, style: deepObject, schema: { type: object, properties: { a: {} } } }';

const notes = ['food', 'home', 'work', 'food'].map((tag, index) => ({
  id: `n${index}`,
  text: tag,
  tags: [tag],
  of: index,
  size: index / 2,
}));

/** Notes with filters that take several values. `obeys`: the service applies them. */
async function startNotes({ obeys = true } = {}) {
  const parameter = `${[tags, of, size, options].join(', ')}, `;
  const properties = `        of: ${reference}\n        size: { type: number }`;
  return startDescribed({ document: document({ parameter, properties }) }, ({ path }) => {
    const { searchParams: asked } = new URL(path, 'http://notes');
    const isAmong = (values: string[] | undefined, ...own: (string | number)[]) =>
      !values?.length || own.some((each) => values.includes(String(each)));
    const found = notes.filter(
      (note) =>
        isAmong(asked.getAll('tags[]'), ...note.tags) &&
        isAmong(asked.get('of')?.split(','), note.of) &&
        isAmong(asked.get('size')?.split('|'), note.size),
    );
    return { status: 200, body: pageOf(obeys ? found : notes, path) };
  });
}

test('a filter of several values has a list of them, in the form of its style', async () => {
  const { query, typeDefs } = await startNotes();
  for (const argument of ['tags: [String!]', 'of: [ID!]', 'size: [Float!]'])
    expect(typeDefs).toContain(`    ${argument}\n`);
  const textsOf = async (filters: string) => {
    const { data, errors, calls } = await query(`{ notes(limit: 9, ${filters}) { results { id } } }`);
    expect(errors).toEqual([]);
    return [data.notes.results.map(({ id }: { id: string }) => id), calls[0]];
  };
  expect(await textsOf('tags: ["food", "work"]')).toEqual([
    ['n0', 'n2', 'n3'],
    'GET /notes?tags%5B%5D=food&tags%5B%5D=work&limit=9&offset=0',
  ]);
  expect(await textsOf('tags: "home"')).toEqual([['n1'], 'GET /notes?tags%5B%5D=home&limit=9&offset=0']);
  expect(await textsOf('of: ["1", "2"]')).toEqual([['n1', 'n2'], 'GET /notes?of=1%2C2&limit=9&offset=0']);
  expect(await textsOf('size: [0.5, 1]')).toEqual([['n1', 'n2'], 'GET /notes?size=0.5%7C1&limit=9&offset=0']);
  expect(await textsOf('tags: [], of: []')).toEqual([['n0', 'n1', 'n2', 'n3'], 'GET /notes?limit=9&offset=0']);
});

test('pages after a cursor have the values of the filter', async () => {
  const { query } = await startNotes();
  const page = (after: string | null) =>
    query('query ($after: String) { notes(first: 2, tags: ["food", "work"], after: $after) { next results { id } } }', {
      after,
    });
  const { data } = await page(null);
  const { data: last } = await page(data.notes.next);
  expect([data, last].map(({ notes }) => notes.results.map(({ id }: { id: string }) => id))).toEqual([
    ['n0', 'n2'],
    ['n3'],
  ]);
});

test('values of which a service ignores each are refused, as are ids that it cannot have', async () => {
  const { query } = await startNotes({ obeys: false });
  const ignored = await query('{ notes(limit: 9, tags: ["food", "work"]) { count } }');
  expect(ignored.errors).toMatchObject([
    { message: expect.stringContaining('`tags`: The service does not apply'), extensions: { code: 'BAD_USER_INPUT' } },
  ]);
  const wrong = await query('{ notes(limit: 9, of: ["1", "a/b"]) { count } }');
  expect(wrong.errors).toMatchObject([{ message: '`of`: No row of the service can have this value.' }]);
  expect(wrong.calls).toEqual([]);
});

test('a value that the service would take for two is refused', async () => {
  const { query } = await startNotes();
  for (const [filter, values, between] of [
    ['tags', ['food\nwork'], '"\\n"'],
    ['of', ['1,2'], '","'],
  ] as const) {
    const { errors, calls } = await query(
      `query ($values: [${filter === 'of' ? 'ID' : 'String'}!]) {
      notes(${filter}: $values) { count }
    }`,
      { values },
    );
    const message = `Contains ${between}, which stands between the values of this filter.`;
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: [{ path: [filter], message }] } }]);
    expect(calls).toEqual([]);
  }
});

test('a service that calls such a filter otherwise gets each value by that name', async () => {
  const named = tags.replace('tags[]', 'tags').replace('query,', 'query, x-only-in: plain, x-other-name: labels,');
  const text = document({ parameter: `${named}, `, wire: '  dialects: { plain: { times: iso } }' });
  const { query } = await startDescribed({ document: text }, ({ path }) => {
    const labels = new URL(path, 'http://notes').searchParams.getAll('labels');
    const found = notes.filter((note) => labels.length === 0 || note.tags.some((tag) => labels.includes(tag)));
    return { status: 200, body: pageOf(found, path) };
  });
  const { data, errors, calls } = await query('{ notes(limit: 9, tags: ["food", "home"]) { count } }');
  expect([data, errors]).toEqual([{ notes: { count: 3 } }, []]);
  expect(calls.at(-1)).toContain('labels=food&labels=home');
});

test('a list without a style of its own, or with the name of another argument, is left out', () => {
  const text = '{ name: text, in: query, schema: { type: string } }';
  const twin = '{ name: "text[]", in: query, schema: { type: array, items: { type: string } } }';
  const deep = tags.replace('query,', 'query, style: deepObject, explode: true,');
  const { typeDefs } = described(document({ parameter: `${twin}, ${text}, ${deep}, ` }));
  expect(typeDefs).toContain('    text: String\n');
  expect(typeDefs).not.toContain('    tags: ');
});

test('a way back may ask by such a filter for the rows of one object', async () => {
  const text = document({
    parameter: `${of}, `,
    properties: `        of: ${reference}\n        made: { type: string, format: date-time }`,
  }).replace(
    'x-proves-key: true',
    'x-proves-key: true\n      x-newest-first: made\n      x-ways-back: [{ field: others, of: [of], by: of, description: x }]',
  );
  const rows = notes.map((note, index) => ({ ...note, made: `2026-01-0${9 - index}T00:00:00Z`, id: String(index) }));
  const { query } = await startDescribed({ document: text }, ({ path }) => {
    const ids = new URL(path, 'http://notes').searchParams.get('of')?.split(',');
    const found = rows.filter((row) => !ids || ids.includes(String(row.of)));
    return { status: 200, body: path.startsWith('/notes?') ? pageOf(found, path) : rows[Number(path.slice(7))] };
  });
  const { data, errors } = await query('{ note(id: "2") { others { results { id } } } }');
  expect([data, errors]).toEqual([{ note: { others: { results: [{ id: '2' }] } } }, []]);
});
