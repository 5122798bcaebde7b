import { describe, expect, test } from 'vitest';
import { described, startDescribed } from './described-service.ts';
import { document, get } from './notes.ts';

const arrayOf = (schema: string) => `{ type: array, items: { $ref: "#/components/schemas/${schema}" } }`;
const page = '{ $ref: "#/components/parameters/limit" }, { $ref: "#/components/parameters/offset" }';

/** Notes come in arrays with their count in a header. Authors and marks come all at once. */
const arrays = (pageWords: string) =>
  document({
    parameter: '{ name: text, in: query, description: x, x-shown-by: [text], schema: { type: string } }, ',
    properties:
      '        made: { type: string, format: date-time }\n        author: { type: string, x-reference: Author }',
    paths: `${get('/authors', 'listAuthors', '', arrayOf('Author'))}
    post:
      operationId: createAuthor
      tags: [Notes]
      description: x
      requestBody: { required: true, description: x, content: { application/json: { schema: { $ref: "#/components/schemas/AuthorWrite" } } } }
      responses: { "201": { description: x, content: { application/json: { schema: { $ref: "#/components/schemas/Author" } } } } }
${get('/marks', 'listMarks', '', '{ $ref: "#/components/schemas/Marks" }')}`,
    schemas: `
    Author: { type: object, required: [id], properties: { id: { type: string }, name: { type: string } } }
    AuthorWrite: { type: object, properties: { name: { type: string } }, example: { name: Ama } }
    Mark: { type: object, required: [id], properties: { id: { type: string } } }
    Marks: { type: object, required: [rows], properties: { rows: { type: array, items: { $ref: "#/components/schemas/Mark" } } } }`,
  })
    .replace('{ $ref: "#/components/schemas/NotePage" }', '{ $ref: "#/components/schemas/Notes" }')
    .replace(
      / {4}NotePage:[\s\S]*?(?= {4}NotePatch)/,
      '    Notes: { type: array, items: { $ref: "#/components/schemas/Note" } }\n',
    )
    .replace(
      'x-proves-key: true',
      'x-proves-key: true\n      x-newest-first: made\n      x-ways-back: [{ field: notes, of: [author], description: x }]',
    )
    .replace(/page: \{.*\}/, `page: { rows: rows, ${pageWords} }`)
    .replace('name: offset', pageWords.includes('number') ? 'name: page' : 'name: offset');

const byOffset = 'countHeader: X-Total-Count, limit: limit, offset: offset';

/** 130 authors, of whom each but the last ten has a note. */
async function startNotes(
  pageWords = byOffset,
  header = (count: number): object => ({ 'x-total-count': String(count) }),
) {
  const authors = Array.from({ length: 130 }, (_, n) => ({ id: `a${n}`, name: `Author ${n}` }));
  const notes = authors.slice(0, 120).map(({ id: author }, n) => ({
    ...{ id: `n${n}`, text: n % 10 === 3 ? 'three' : 'other', author },
    made: new Date(Date.UTC(2026, 0, 1) - n * 60_000).toISOString(),
  }));
  const started = await startDescribed({ document: arrays(pageWords) }, ({ method, path, body }) => {
    const { pathname, searchParams } = new URL(path, 'http://notes');
    const [, list, id] = pathname.split('/');
    if (method === 'POST') {
      authors.push({ id: `a${authors.length}`, ...(body as { name: string }) });
      return { status: 201, body: authors.at(-1) };
    }
    if (list === 'authors') return { status: 200, body: authors };
    if (list === 'marks') return { status: 200, body: { rows: [{ id: 'm1' }, { id: 'm2' }] } };
    const note = notes.find((each) => each.id === id);
    if (id !== undefined) return note ? { status: 200, body: note } : { status: 404, body: {} };
    const text = searchParams.get('text');
    const found = notes.filter((each) => text === null || each.text.includes(text));
    const limit = Number(searchParams.get('limit'));
    const number = searchParams.get('page');
    const offset = number === null ? Number(searchParams.get('offset')) : (Number(number) - 1) * limit;
    return { status: 200, body: found.slice(offset, offset + limit), headers: { ...header(found.length) } };
  });
  return { ...started, authors, notes };
}

const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);

describe.each([
  ['X-Total-Count', byOffset, (count: number) => ({ 'X-Total-Count': String(count) })],
  [
    'Content-Range',
    byOffset.replace('X-Total-Count', 'Content-Range'),
    (count: number) => ({ 'content-range': `rows 0-8/${count}` }),
  ],
  ['pages by number', 'countHeader: X-Total-Count, limit: limit, number: page', undefined],
])('an array with its count in a header: %s', (_name, words, header) => {
  const start = () => startNotes(words, header);
  const forward = 'query ($at: String) { notes(first: 25, after: $at) { count next results { id } } }';
  const back = 'query ($at: String) { notes(last: 25, before: $at) { count previous results { id } } }';

  test.each([[forward], [back]])('cursors lead to each row once: %s', async (operation) => {
    const { query, notes } = await start();
    const pages: string[][] = [];
    for (let at: string | null | undefined; at !== null; ) {
      const { data, errors } = await query(operation, { at });
      expect([errors, data.notes.count]).toEqual([[], 120]);
      pages.push(ids(data.notes.results));
      at = operation === forward ? data.notes.next : data.notes.previous;
    }
    expect((operation === forward ? pages : pages.reverse()).flat()).toEqual(ids(notes));
  });

  test('the count alone costs a row, and a filter has its own', async () => {
    const { query } = await start();
    const { data, calls } = await query('{ notes { count } }');
    expect([data.notes.count, calls.length]).toEqual([120, 1]);
    expect(calls[0]).toContain('limit=1&');
    const filtered = await query('{ notes(text: "three", limit: 2) { count results { id } } }');
    expect([filtered.data.notes, filtered.errors]).toEqual([{ count: 12, results: [{ id: 'n3' }, { id: 'n13' }] }, []]);
  });
});

test('an object with the rows may have its count in the header too', async () => {
  const text = document()
    .replace(/ {2}page: .*/, '  page: { countHeader: X-Total-Count, limit: limit, offset: offset }')
    .replace('required: [total, rows]', 'required: [results]')
    .replace('total: { type: integer }, rows:', 'results:');
  const { query } = await startDescribed({ document: text }, () => ({
    ...{ status: 200, body: { results: [{ id: 'a' }] }, headers: { 'x-total-count': '7' } },
  }));
  const { data, errors } = await query('{ notes(limit: 1) { count results { id } } }');
  expect([data, errors]).toEqual([{ notes: { count: 7, results: [{ id: 'a' }] } }, []]);
});

test('an array without its header is an error that names the header', async () => {
  const { query } = await startNotes(byOffset, () => ({}));
  const { errors } = await query('{ notes { results { id } } }');
  expect(errors).toMatchObject([
    {
      message: expect.stringContaining(
        'The service answered `listNotes` with no count in `count` or the header x-total-count.',
      ),
      extensions: { code: 'UPSTREAM_INVALID_RESPONSE' },
    },
  ]);
});

describe('a list without parameters of pages', () => {
  test('is whole: each range is a part of one answer', async () => {
    const { query, authors } = await startNotes();
    const { data, errors, calls } = await query(`{
      first: authors(limit: 3) { count results { id } }
      far: authors(offset: 100, limit: 60) { results { id } }
      all: authors(limit: 1000) { results { id } pageInfo { hasNextPage } }
      marks { count results { id } }
    }`);
    expect(errors).toEqual([]);
    expect(data.first).toEqual({ count: 130, results: [{ id: 'a0' }, { id: 'a1' }, { id: 'a2' }] });
    expect(ids(data.far.results)).toEqual(ids(authors.slice(100)));
    expect(ids(data.all.results)).toEqual(ids(authors));
    expect(data.all.pageInfo).toEqual({ hasNextPage: false });
    expect(data.marks).toEqual({ count: 2, results: [{ id: 'm1' }, { id: 'm2' }] });
    expect(calls.toSorted()).toEqual(['GET /authors', 'GET /marks']);
  });

  test.each([
    '{ authors(limit: 1000) { results { id } } }',
    '{ authors(limit: 1000) { results { id } } marks { count } }',
    '{ notes(limit: 40) { results { author { name } } } }',
  ])('is one call in an estimate: %s', async (operation) => {
    const { query } = await startNotes();
    const estimated = async () => {
      const { upstream } = await query(operation, {}, 'demo', { 'x-trace-upstream': 'estimate' });
      return upstream.estimate.expected.calls;
    };
    const before = await estimated();
    const { calls } = await query(operation, {}, 'another');
    expect([before, await estimated()]).toEqual([calls.length, calls.length]);
  });

  test('gives the objects of references, and is cached until a write', async () => {
    const { query } = await startNotes();
    const named = '{ notes(limit: 120) { results { id author { name } } } }';
    const { data, errors, calls } = await query(named);
    expect(errors).toEqual([]);
    expect(data.notes.results[119]).toEqual({ id: 'n119', author: { name: 'Author 119' } });
    expect(calls.filter((call) => call === 'GET /authors')).toHaveLength(1);
    expect((await query('{ authors(offset: 120, limit: 5) { count results { id } } }')).calls).toEqual([]);
    await query('mutation { createAuthor(input: { name: "New" }) { id } }');
    const after = await query('{ authors(last: 1) { count results { name } } }');
    expect([after.data.authors, after.calls]).toEqual([{ count: 131, results: [{ name: 'New' }] }, ['GET /authors']]);
  });

  test('has ways back, and cursors', async () => {
    const { query } = await startNotes();
    const first = await query('{ authors(first: 2) { next results { id notes { results { id } } } } }');
    expect(first.errors).toEqual([]);
    expect(first.data.authors.results[1]).toEqual({ id: 'a1', notes: { results: [{ id: 'n1' }] } });
    const next = await query(`{ authors(first: 2, after: "${first.data.authors.next}") { results { id } } }`);
    expect([next.data.authors.results, next.errors]).toEqual([[{ id: 'a2' }, { id: 'a3' }], []]);
  });

  test('is an error where the service gives a part of it', async () => {
    const text = document().replace(/parameters: \[\{ \$ref: "#\/components\/parameters\/limit.*\]/, 'parameters: []');
    const { query } = await startDescribed({ document: text }, () => ({
      ...{ status: 200, body: { total: 240, rows: [{ id: 'a' }] } },
    }));
    const { errors } = await query('{ notes { results { id } } }');
    expect(errors).toMatchObject([
      {
        message: 'The service gives 1 of 240 rows, and the contract has no parameters of pages for this list.',
        extensions: { code: 'UPSTREAM_INVALID_RESPONSE' },
      },
    ]);
  });
});

test('a service may have no pages at all, and an envelope around its arrays', async () => {
  const text = document({
    paths: get('/tags', 'listTags', '', arrayOf('Note')),
    wire: '  dialects: { plain: { times: iso, envelope: { data: payload } } }',
  })
    .replace(/ {2}page: .*/, '  page: {}')
    .replace(/ {2}\/notes:[\s\S]*?(?= {2}\/notes\/\{id\}:)/, '')
    .replace('operationId: listTags', 'operationId: listTags\n      x-proves-key: true');
  const { query } = await startDescribed({ document: text }, () => ({ status: 200, body: { payload: [{ id: 'a' }] } }));
  const { data, errors, calls } = await query('{ tags(first: 5) { count results { id } } }');
  expect([data, errors, calls]).toEqual([{ tags: { count: 1, results: [{ id: 'a' }] } }, [], ['GET /tags']]);
});

const noCount =
  'paths./tags.get.responses: an array has no count; name the header that has it in x-wire.page.countHeader, or leave the endpoint out; where the service gives all rows, leave out its parameters of pages';

test.each<[habit: string, parameters: string, mistake: string]>([
  ['a page of an array without a count', page, noCount],
  [
    'half of the parameters of pages',
    '{ $ref: "#/components/parameters/limit" }',
    `paths./tags.get.parameters: a page is asked for by \`limit\` and \`offset\`\n${noCount}`,
  ],
  [
    'parameters of other pages',
    '{ name: page, in: query, description: x, schema: { type: integer } }',
    'paths./tags.get.parameters.page: asks for a page; name it in x-wire.page, or leave the endpoint out',
  ],
])('the generator refuses %s', (_habit, parameters, mistake) => {
  const text = document({ paths: get('/tags', 'listTags', parameters, arrayOf('Note')) });
  expect(() => described(text)).toThrow(new Error(`The contract has mistakes:\n${mistake}`));
});
