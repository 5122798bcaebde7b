import { expect, test } from 'vitest';
import { startDescribed } from './described-service.ts';
import { document, kind, pageOf } from './notes.ts';

const rows = Array.from({ length: 30 }, (_, n) => {
  const made = `2026-01-${String(30 - n).padStart(2, '0')}T00:00:00Z`;
  return { id: `n${n}`, words: 30 - n, made };
});

/** Notes with filters whose names say that they bound a property. The service may ignore them. */
function startNotes({ appliesFilters = true } = {}) {
  const number = ['words__gte', 'max_words', 'words'];
  const parameter = [
    ...number.map((name) => `{ name: ${name}, in: query, description: x, schema: { type: integer } }, `),
    '{ name: madeBefore, in: query, description: x, schema: { type: string, format: date-time } }, ',
    '{ name: made__lt, in: query, description: x, schema: { type: string } }, ',
  ];
  const properties = '        words: { type: integer }\n        made: { type: string, format: date-time }';
  return startDescribed({ document: document({ parameter: parameter.join(''), properties }) }, ({ path }) => {
    const { searchParams } = new URL(path, 'http://notes');
    const [least, most, exact] = number.map((name) => searchParams.get(name));
    const before = searchParams.get('madeBefore') ?? searchParams.get('made__lt') ?? '9';
    const matching = rows.filter(
      ({ words, made }) =>
        words >= Number(least ?? 0) &&
        words <= Number(most ?? 30) &&
        words === Number(exact ?? words) &&
        made <= before,
    );
    return { status: 200, body: pageOf(appliesFilters ? matching : rows, path) };
  });
}

test('filters by bounds give the rows within them', async () => {
  const { query } = await startNotes();
  for (const [filter, count] of [
    ['words__gte: 21', 10],
    ['max_words: 12', 12],
    ['words__gte: 10, max_words: 12', 3],
    ['words: 7', 1],
    ['madeBefore: "2026-01-20T00:00:00Z"', 20],
    ['made__lt: "2026-01-20T00:00:00Z"', 20],
  ] as const) {
    const { data, errors } = await query(`{ notes(${filter}, limit: 3) { count results { words } } }`);
    expect([errors, data.notes?.count, data.notes?.results.length]).toEqual([[], count, Math.min(count, 3)]);
  }
});

test('a filter by a bound that the service ignores is refused', async () => {
  const { query } = await startNotes({ appliesFilters: false });
  for (const filter of ['words__gte: 21', 'max_words: 12', 'words: 7', 'madeBefore: "2026-01-20T00:00:00Z"']) {
    const { errors } = await query(`{ notes(${filter}, limit: 3) { count } }`);
    expect(errors).toMatchObject([{ message: expect.stringContaining('does not apply this filter') }]);
  }
});

test.each(['9007199254740993', '1e400', '-1e400'])(
  'a filter by %s is refused, because its digits are lost',
  async (value) => {
    const parameter = '{ name: words, in: query, description: x, schema: { type: integer, format: int64 } }, ';
    const properties = '        words: { type: integer, format: int64 }';
    const { query } = await startDescribed({ document: document({ parameter, properties }) }, ({ path }) => ({
      status: 200,
      body: pageOf(rows, path),
    }));
    const { errors, calls } = await query(`{ notes(words: ${value}) { count } }`);
    const fields = [{ path: ['words'], message: 'Larger than any number that keeps its digits.' }];
    expect([errors, calls]).toMatchObject([[{ path: ['notes'], extensions: { code: 'BAD_USER_INPUT', fields } }], []]);
  },
);

test.each([
  ['author: "2"', 'author', '2'],
  ['is_open: false', 'is_open', 'false'],
  ['is_open: true', 'is_open', 'true'],
  ['size: 2', 'size', '2'],
])('the filter %s has the values of the property with its name', async (filter, name, value) => {
  // The id of a note is also that of an author.
  const notes = Array.from({ length: 30 }, (_, n) => {
    return { id: String(n + 2), author: String(1 + (n % 3)), is_open: n % 2 === 0, size: n % 4 };
  });
  const schemaOf = { author: 'type: string, x-reference: Author', is_open: 'type: boolean', size: 'type: integer' };
  const parameter = Object.entries(schemaOf)
    .map(([each, schema]) => `{ name: ${each}, in: query, description: x, schema: { ${schema} } }, `)
    .join('');
  const properties = Object.entries(schemaOf)
    .map(([each, schema]) => `        ${each}: { ${schema} }`)
    .join('\n');
  const described = { parameter, properties, paths: kind('Author', 'authors'), schemas };
  const { query } = await startDescribed({ document: document(described) }, ({ path }) => {
    const { searchParams } = new URL(path, 'http://notes');
    const found = notes.filter((note) => {
      const wanted = ['author', 'is_open', 'size'] as const;
      return wanted.every((each) => (searchParams.get(each) ?? String(note[each])) === String(note[each]));
    });
    return { status: 200, body: pageOf(found, path) };
  });
  const { data, errors } = await query(`{ notes(${filter}, limit: 3) { count results { author_id is_open size } } }`);
  expect([errors, data.notes.count]).toEqual([
    [],
    notes.filter((note) => String(note[name as keyof typeof note]) === value).length,
  ]);
});

test.each(['ordering: { type: string }', 'sort_by: { type: string, enum: [-words, words] }'])(
  'the parameter %s orders the rows',
  async (form) => {
    const [name = '', ...schema] = form.split(': ');
    const parameter = `{ name: ${name}, in: query, schema: ${schema.join(': ')} }, `;
    const { query } = await startDescribed({ document: document({ parameter }) }, ({ path }) => {
      const order = new URL(path, 'http://notes').searchParams.get(name);
      return { status: 200, body: pageOf(order === '-words' ? rows : rows.toReversed(), path) };
    });
    const { data, errors } = await query(`{ notes(${name}: "-words", limit: 2) { count results { id } } }`);
    expect([errors, data.notes]).toEqual([[], { count: 30, results: [{ id: 'n0' }, { id: 'n1' }] }]);
  },
);

test('the parameter sort_code orders nothing, and is refused where the service ignores it', async () => {
  const parameter = '{ name: sort_code, in: query, schema: { type: string } }, ';
  const { query } = await startDescribed({ document: document({ parameter }) }, ({ path }) => ({
    status: 200,
    body: pageOf(rows, path),
  }));
  const { errors } = await query('{ notes(sort_code: "10-20-30", limit: 2) { results { id } } }');
  expect(errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)).toEqual(['BAD_USER_INPUT']);
});

test.each(['', 'x-shown-by: [author_id], '])(
  'a filter by an id has the name that the service gives it: %s',
  async (key) => {
    const reference = 'type: string, x-reference: Author';
    const parameter = `{ name: author_id, in: query, ${key}description: x, schema: { ${reference} } }, `;
    const properties = `        author_id: { ${reference} }`;
    const described = { parameter, properties, paths: kind('Author', 'authors'), schemas };
    const notes = Array.from({ length: 30 }, (_, n) => ({ id: String(n + 2), author_id: String(1 + (n % 3)) }));
    const { query } = await startDescribed({ document: document(described) }, ({ path }) => {
      const author = new URL(path, 'http://notes').searchParams.get('author_id');
      return { status: 200, body: pageOf(author ? notes.filter((note) => note.author_id === author) : notes, path) };
    });
    const { data, errors } = await query('{ notes(author_id: "1", limit: 3) { count results { author_id } } }');
    expect([errors, data.notes?.count]).toEqual([[], 10]);
  },
);

const schemas = `    Author: { type: object, required: [id], properties: { id: { type: string } } }
    AuthorPage:
      type: object
      required: [total, rows]
      properties: { total: { type: integer }, rows: { type: array, items: { $ref: "#/components/schemas/Author" } } }`;
