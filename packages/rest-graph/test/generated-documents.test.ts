import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parseContract } from '../../contract/codegen/read-contract.ts';
import { suggestedKeys } from '../../contract/codegen/suggestions.ts';
import { described, startDescribed } from './described-service.ts';
import { document, get, kind } from './notes.ts';

const json = (schema: string) => `{ description: x, content: { application/json: { schema: ${schema} } } }`;

type Edit = [from: string | RegExp, to: string];

/** A document as its generator writes it, and what a person adds. */
function generated(name: string, ...edits: Edit[]): string {
  const text = readFileSync(new URL(`documents/${name}`, import.meta.url), 'utf8');
  return edits.reduce((edited, [from, to]) => {
    const changed = edited.replaceAll(from, to);
    if (changed === edited) throw new Error(`${name} has no ${from}`);
    return changed;
  }, text);
}

const mistakesIn = (text: string) => {
  try {
    described(text);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n').slice(1);
  }
};

const suggested = (page: object, fieldErrors?: object) => {
  return [`x-wire: is missing, perhaps "x-wire": ${JSON.stringify({ page, wholeBody: ['detail'], fieldErrors })}`];
};

const inYaml = (page: string): Edit => [/$/g, `x-wire:\n  page: ${page}\n  wholeBody: [detail]\n`];
const inJson = (page: object): Edit => [/^\{/g, `{ "x-wire": ${JSON.stringify({ page })},`];

const drf = {
  name: 'drf-spectacular.yaml',
  suggestion: suggested({ count: 'count', rows: 'results', limit: 'limit', offset: 'offset' }),
  list: '/api/authors/',
  wire: inYaml('{ limit: limit, offset: offset }'),
  keys: [
    [/( +)operationId: authors_list\n/g, '$&$1x-proves-key: true\n'],
    [/( +)author:\n +type: integer\n/g, '$&$1  x-reference: Author\n'],
    [/name: author\n( +)schema:\n( +)type: integer\n/g, '$&$2x-reference: Author\n'],
  ] satisfies Edit[],
};
const fastApi = {
  name: 'fastapi.json',
  suggestion: suggested(
    { count: 'total', rows: 'items', limit: 'size', number: 'page' },
    { path: 'loc', message: 'msg', body: 'body' },
  ),
  list: '/api/books/',
  wire: inJson({ count: 'total', rows: 'items', limit: 'size', number: 'page' }),
  keys: [
    ['"summary": "List Books",', '"x-proves-key": true,'],
    [/"title": "Author Id" \}(?=,\n +"genre")/g, '"x-reference": "Author" }'],
  ] satisfies Edit[],
};
const springdoc = {
  name: 'springdoc.yaml',
  suggestion: suggested({ count: 'totalElements', rows: 'content', limit: 'size', number: 'page', first: 0 }),
  list: '/api/books',
  wire: inYaml('{ count: totalElements, rows: content, limit: size, number: page, first: 0 }'),
  keys: [
    [/( +)operationId: getAllBooks\n/g, '$&$1x-proves-key: true\n'],
    [/( +)authorId:\n +type: integer\n/g, '$&$1  x-reference: AuthorDto\n'],
  ] satisfies Edit[],
};
const nestJs = {
  name: 'nestjs.json',
  suggestion: suggested({ count: 'count', rows: 'results', limit: 'limit', number: 'page' }),
  list: '/books',
  wire: inJson({ limit: 'limit', number: 'page' }),
  keys: [
    ['"operationId": "BooksController_findAll",', '"x-proves-key": true,'],
    ['"authorId": {', '"authorId": { "x-reference": "AuthorDto",'],
    ['"media": {', '"media": { "x-scalar": "JSON",'],
  ] satisfies Edit[],
};
const all = [drf, fastApi, springdoc, nestJs];

describe.each(all)('the document $name', ({ name, suggestion, list, wire, keys }) => {
  test('needs the words of its pages, which its lists suggest', () => {
    expect(mistakesIn(generated(name))).toEqual(suggestion);
  });

  test('needs the list that proves a key then', () => {
    const kinds =
      'components.schemas.BookDto.properties.media: objects of several kinds are any JSON; with `x-scalar: JSON`, the field shows them';
    const proof = `paths: one list without ids in its path, such as paths.${list}.get, has \`x-proves-key: true\`; now: none`;
    expect(mistakesIn(generated(name, wire))).toEqual(name === 'nestjs.json' ? [kinds, proof] : [proof]);
  });

  test('makes a schema with its keys', () => {
    const { typeDefs } = described(generated(name, wire, ...keys));
    expect(typeDefs).toMatch(/ {2}author: Author(Dto)?\n/);
    expect(typeDefs).toMatch(/ {2}book(Dto)?s\(/);
  });
});

test('rest-contract writes the types of a document to an empty folder, and suggests names and references', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'begun-'));
  const { name, wire, keys } = fastApi;
  writeFileSync(join(folder.path, 'books.json'), generated(name, wire, ...keys.slice(0, 1)));
  const command = fileURLToPath(new URL('../../contract/codegen/bin.ts', import.meta.url));
  const args = [command, '--openapi', 'books.json', '--sdl', 'schema', '--out', 'generated'];
  const run = async () => (await promisify(execFile)(process.execPath, args, { cwd: folder.path })).stdout.split('\n');
  const suggestions = [
    'components.schemas.AddressOutput: perhaps `x-type: Address`',
    ...['Book', 'BookCreate', 'BookUpdate'].map(
      (schema) => `components.schemas.${schema}.properties.author_id: perhaps \`x-reference: Author\``,
    ),
  ];

  expect(await run()).toEqual([
    `${join(folder.path, 'schema/types.graphql')} is new: write the descriptions that it lacks (…). After a change of the document, delete it and begin again`,
    ...suggestions,
    '',
  ]);
  expect(readFileSync(join(folder.path, 'schema/types.graphql'), 'utf8')).toContain('\ntype Author {\n');
  expect(readFileSync(join(folder.path, 'generated/schema.graphql'), 'utf8')).toContain('\n  books(');
  expect(await run()).toEqual([...suggestions, '']);
});

test('the generator names properties that rows alone have, which the graph leaves out', () => {
  const row = `    NoteRow: { type: object, x-type: Note, required: [id], properties: { id: { type: string }, score: { type: number }, pin: { type: string, writeOnly: true } } }`;
  const rows = 'rows: { type: array, items: { $ref: "#/components/schemas/Note';
  const contract = parseContract(document({ schemas: row }).replace(rows, `${rows}Row`), []);
  expect(suggestedKeys(contract)).toEqual([
    'components.schemas.NoteRow.properties.score: perhaps a property of Note too',
  ]);
});

test('fields and inputs have the types that a generator says in its own forms', () => {
  const [ofDrf, ofFastApi, ofSpringdoc, ofNestJs] = all.map(({ name, wire, keys }) =>
    described(generated(name, wire, ...keys)).typeDefs.replaceAll(/ *"""[\s\S]*?"""\n| *"(\\.|[^"\\])*"\n/g, ''),
  );
  const body = (sdl: string | undefined, head: string) =>
    sdl?.split(`\n${head} {\n`)[1]?.split('\n}')[0]?.split('\n  ');
  expect(body(ofDrf, 'input BookInput')).toEqual([
    '  title: String! @length(max: 200)',
    'author: ID',
    'dimensions: DimensionsInput',
    'genre: GenreEnum!',
    'binding: String',
    'price: Decimal!',
    'weight: Float',
    'sold: Float',
    'details: JSON',
    'labels: JSON',
    'access_code: String @deprecated',
  ]);
  expect(body(ofDrf, 'type Dimensions')).toEqual(['  height: Int', 'width: Int']);
  expect(ofDrf).toMatch(/ books_publish_create\([^)]*\): Book @deprecated\n/);
  expect(body(ofFastApi, 'type Book')).toEqual([
    '  id: ID!',
    'title: String @length(min: 1, max: 200)',
    'author: Author',
    'author_id: ID',
    'genre: Genre',
    'genre_raw: String',
    'binding: String',
    'price: Decimal',
    'rating: Float',
    'code: JSON',
    'kind: String',
    'tags: [String!]',
    'moods: [String!]',
    'size: JSON',
    'meta: JSON',
    'extra: JSON',
    'created_at: DateTime',
  ]);
  expect(body(ofFastApi, 'input BookCreate')).toContain('price: Decimal!');
  expect(body(ofFastApi, 'input BookCreate')).toContain('publisher: AddressInput');
  expect(ofFastApi).toMatch(/ upload_cover_api_books__book_id__cover_put\(\s+id: ID!\s+scan: Upload!\s+\): Book\n/);
  expect(body(ofSpringdoc, 'type BookDto')).toEqual([
    '  id: ID!',
    'type: String',
    'title: String',
    'author: AuthorDto',
    'author_id: ID',
    'price: Float',
    'stock: Float',
    'copies: Int',
    'status: BookDtoStatus',
    'status_raw: String',
    'publishedAt: DateTime',
    'attributes: JSON',
    'scan: String',
  ]);
  expect(body(ofNestJs, 'input CreateBookDto')).toEqual([
    '  title: String! @length(min: 1)',
    'authorId: ID',
    'status: BookStatus',
    'price: String!',
    'parts: [PartDtoInput!]',
  ]);
});

test('a document of drf-spectacular serves reads and writes', async () => {
  const books = [
    {
      ...{ id: 1, title: 'Walden', author: 7, dimensions: { height: 20, width: 12 }, genre: 'essay', binding: '' },
      ...{ price: '12.50', weight: 0.3, sold: 3_000_000_000, cover: null, details: { pages: [1] }, labels: {} },
      created: '2026-01-02T03:04:05Z',
    },
    { id: 2, title: 'Typee', author: null, dimensions: null, genre: 'travel', price: '9.00', created: null },
  ];
  const { query, rest } = await startDescribed(
    { document: generated(drf.name, drf.wire, ...drf.keys) },
    ({ method, path, body }) => {
      const [, , , id] = path.split('/');
      if (path.startsWith('/api/authors/7/')) return { status: 200, body: { id: 7, name: 'Thoreau', born: null } };
      if (method === 'DELETE') return { status: 204, body: undefined };
      if (method === 'POST') return { status: 201, body: { id: 3, created: null, ...(body as object) } };
      if (path.startsWith('/api/books/?')) {
        const genre = new URL(path, 'http://service').searchParams.get('genre');
        const results = books.filter((book) => genre === null || book.genre === genre);
        return { status: 200, body: { count: results.length, next: null, previous: null, results } };
      }
      const book = books.find((each) => String(each.id) === id);
      return book ? { status: 200, body: Object.assign(book, body) } : { status: 404, body: { detail: 'Not found.' } };
    },
  );

  const read = await query(`{ books(limit: 2) { count results {
    id title author { name } author_id dimensions { height } genre genre_raw binding price sold details created
  } } }`);
  expect(read.errors).toEqual([]);
  expect(read.data.books).toEqual({
    count: 2,
    results: [
      {
        ...{ id: '1', title: 'Walden', author: { name: 'Thoreau' }, author_id: '7', dimensions: { height: 20 } },
        ...{ genre: 'essay', genre_raw: 'essay', binding: '', price: '12.50', sold: 3_000_000_000 },
        ...{ details: { pages: [1] }, created: '2026-01-02T03:04:05Z' },
      },
      {
        ...{ id: '2', title: 'Typee', author: null, author_id: null, dimensions: null, genre: 'UNKNOWN_VALUE' },
        ...{ genre_raw: 'travel', binding: null, price: '9.00', sold: null, details: null, created: null },
      },
    ],
  });
  expect(read.calls).toEqual(['GET /api/books/?limit=2&offset=0', 'GET /api/authors/7/']);
  const filtered = await query('{ books(genre: "essay") { results { title } } }');
  expect([filtered.data.books, filtered.errors]).toEqual([{ results: [{ title: 'Walden' }] }, []]);

  const created = await query('mutation ($input: BookInput!) { createBook(input: $input) { id title price } }', {
    input: { title: 'Omoo', author: null, genre: 'novel', price: '7.20', dimensions: { height: 1, width: 2 } },
  });
  expect([created.data, created.errors]).toEqual([{ createBook: { id: '3', title: 'Omoo', price: '7.20' } }, []]);
  expect(rest.requests[0]?.body).toEqual({
    ...{ title: 'Omoo', author: null, genre: 'novel', price: '7.20', dimensions: { height: 1, width: 2 } },
  });

  const changed = await query('mutation { updateBook(id: "2", input: { author: "7" }) { author { name } } }');
  expect([changed.data, changed.errors]).toEqual([{ updateBook: { author: { name: 'Thoreau' } } }, []]);
  expect(changed.calls).toEqual(['PATCH /api/books/2/', 'GET /api/authors/7/']);
  expect(rest.requests[0]?.body).toEqual({ author: 7 });

  const gone = await query('mutation { deleteBook(id: "2") }');
  expect([gone.data, gone.calls]).toEqual([{ deleteBook: '2' }, ['DELETE /api/books/2/']]);
});

test('a document of NestJS serves a page of no name, ids that are numbers, and objects of several kinds', async () => {
  const media = { type: 'audio', minutes: 90 };
  const { query, rest } = await startDescribed(
    { document: generated(nestJs.name, nestJs.wire, ...nestJs.keys) },
    ({ method, path, body }) => {
      if (path.startsWith('/authors/')) return { status: 200, body: { id: path.slice(9), name: 'Thoreau' } };
      const book = { id: 7, title: 'Walden', authorId: 'd9c1e2f0-0000-4000-8000-000000000001', status: 'draft', media };
      if (method === 'POST') return { status: 201, body: { ...book, ...(body as object) } };
      return { status: 200, body: path.startsWith('/books?') ? { count: 1, page: 1, results: [book] } : book };
    },
  );
  const read = await query('{ bookDtos(limit: 1) { count results { id title author { name } status media } } }');
  expect(read.errors).toEqual([]);
  expect(read.data.bookDtos).toEqual({
    count: 1,
    results: [{ id: '7', title: 'Walden', author: { name: 'Thoreau' }, status: 'draft', media }],
  });
  const one = await query('{ bookDto(id: "7") { parts { heading } title } }');
  expect([one.data.bookDto, one.calls]).toEqual([{ parts: null, title: 'Walden' }, ['GET /books/7']]);
  const input = { title: 'Typee', price: '9.00', parts: [{ heading: 'One' }], status: 'on_sale' };
  const created = await query(
    'mutation ($input: CreateBookDto!) { createBookDto(input: $input) { status parts { heading } } }',
    { input },
  );
  expect(created.data.createBookDto).toEqual({ status: 'on_sale', parts: [{ heading: 'One' }] });
  expect(rest.requests[0]?.body).toEqual(input);
});

describe('a document', () => {
  test('may name answers and bodies among its components', () => {
    const answer =
      '{ description: x, content: { application/json: { schema: { $ref: "#/components/schemas/Note" } } } }';
    const text = document({
      paths: kind('Author', 'authors'),
      schemas: '    Author: { $ref: "#/components/schemas/Note" }',
    })
      .replace('components:\n', `components:\n  responses: { Note: ${answer} }\n`)
      .replace(
        /responses: \{ "200": \{ description: A note.*/,
        'responses: { "200": { $ref: "#/components/responses/Note" } }',
      );
    expect(described(text).typeDefs).toContain('note(');
  });

  test('may have properties of any name, and parameters of a path in any order', () => {
    const names = ['title', 'properties', 'components', 'responses', 'items', 'default', 'content'];
    const value = '{ type: object, x-scalar: JSON, properties: { properties: { title: x, type: string } } }';
    const properties = names.map((name) => `        ${name}: ${value}`).join('\n');
    const parameters = ['mark', 'id'].map(
      (name) => `{ name: ${name}, in: path, required: true, x-argument: ${name}_of, schema: { type: string } }`,
    );
    const page = '{ $ref: "#/components/schemas/NotePage" }';
    const paths = get('/notes/{id}/marks/{mark}', 'listMarks', parameters.join(', '), page);
    const { typeDefs } = described(document({ properties, paths }));
    for (const name of names) expect(typeDefs).toContain(`  ${name}: JSON\n`);
    expect(typeDefs).toContain('id_of: ID!');
  });

  test.each([
    ['{ type: http, scheme: basic, in: header, name: Key }', []],
    ['{ type: oauth2, flows: { password: { tokenUrl: /token, scopes: {} } } }', []],
    ['{ type: apiKey, in: cookie, name: session }', ['components.securitySchemes.Key.in: expected "header"']],
  ])('with the scheme %s has the mistakes %s', (scheme, mistakes) => {
    expect(mistakesIn(document().replace('{ type: http, scheme: bearer }', scheme))).toEqual(mistakes);
  });

  test('needs a scheme of the key', () => {
    expect(mistakesIn(document().replace('security: [{ Key: [] }]', ''))).toEqual([
      'security: names no scheme with a header, such as `Key: { type: apiKey, in: header, name: X-Key }` of components.securitySchemes',
    ]);
  });

  test('may have the scheme that a gateway of APIs calls default', () => {
    const named = (text: string) => text.replace('[{ Key: [] }]', '[{ default: [] }]').replace('{ Key:', '{ default:');
    expect(described(named(document()))).toEqual(described(document()));
  });

  test.each([
    'content: {}',
    'content: { text/plain: { schema: { type: string } } }',
    'content: { application/json: { schema: { type: boolean } } }',
    'content: { application/json: { schema: { type: object, properties: { message: { type: string } } } } }',
  ])('may have writes that answer no object: %s', async (content) => {
    const gone = `delete: { parameters: [{ $ref: "#/components/parameters/id" }], responses: { "200": { ${content} } } }`;
    const text = document()
      .replace('"204": { description: Written. }', `"200": { description: Written., ${content} }`)
      .replace('    put:\n', `    ${gone}\n$&`);
    const { query } = await startDescribed({ document: text }, ({ method }) => ({
      status: 200,
      body: method === 'GET' ? { id: 'a', text: 'Tea' } : 'done',
    }));
    const { data, errors } = await query(
      'mutation { writeNote(id: "a", input: { text: "Tea" }) { id text } deleteNote(id: "a") }',
    );
    expect(errors).toEqual([]);
    expect(data).toEqual({ writeNote: { id: 'a', text: 'Tea' }, deleteNote: 'a' });
  });

  test('may have descriptions without a period', () => {
    const text = document().replace('description: A note.', 'description: Fetch a note');
    expect(described(text).typeDefs).toContain('"Fetch a note. Null with `NOT_FOUND` when there is none."');
  });

  test('may have JSON of a name of its own', () => {
    const named = document().replaceAll('application/json', 'application/vnd.notes+json');
    expect(described(named)).toEqual(described(document()));
    const inTwo = document().replaceAll('content: {', 'content: { application/ld+json: { schema: {} },');
    expect(described(inTwo)).toEqual(described(document()));
    expect(mistakesIn(document().replaceAll('application/json', 'application/merge-patch+json'))).not.toEqual([]);
  });

  test('may have the envelope around its answers', async () => {
    const note = '{ $ref: "#/components/schemas/Note" }';
    const around = (data: string) => `{ type: object, properties: { data: ${data}, message: { type: string } } }`;
    const text = document({
      wire: '  dialects: { plain: { times: iso, envelope: { data: data, message: message } } }',
      paths:
        kind('ShelfAnswer', 'shelves') +
        kind('Box', 'boxes') +
        get('/marks', 'listMarks', '', around(`{ type: array, items: ${note} }`)),
      schemas: `    ShelfAnswer: ${around('{ $ref: "#/components/schemas/Shelf" }')}
    Shelf: { type: object, required: [id], properties: { id: { type: string }, data: { type: string } } }
    Box: { type: object, x-id: code, properties: { code: { type: string }, data: ${note} } }`,
    })
      .replace(`schema: ${note}`, `schema: ${around(note)}`)
      .replace('schema: { $ref: "#/components/schemas/NotePage" }', (page) => `schema: ${around(page.slice(8))}`)
      .replace('"204": { description: Written. }', `"200": ${json(around('{ type: boolean }'))}`);
    const { query } = await startDescribed({ document: text }, ({ path, method }) => {
      const rows = [{ id: 'a', text: 'Milk' }];
      const byPath = {
        notes: { total: 7, rows },
        marks: rows,
        shelves: { id: 's', data: 'plain' },
        boxes: { code: 'b', data: rows[0] },
      };
      const name = path.split(/[/?]/)[1] as keyof typeof byPath;
      const data = method === 'PUT' || path === '/notes/a' ? rows[0] : byPath[name];
      return { status: 200, body: { data: method === 'PUT' ? true : data, message: '' } };
    });
    const read =
      '{ notes(limit: 1) { count results { text } } note(id: "a") { id } marks { count } shelfAnswer(id: "s") { data } box(id: "b") { data { text } } }';
    const { data, errors } = await query(read);
    expect(errors).toEqual([]);
    expect(data).toEqual({
      notes: { count: 7, results: [{ text: 'Milk' }] },
      note: { id: 'a' },
      marks: { count: 1 },
      shelfAnswer: { data: 'plain' },
      box: { data: { text: 'Milk' } },
    });
    const written = await query('mutation { writeNote(id: "a", input: { text: "Milk" }) { text } }');
    expect(written).toMatchObject({ data: { writeNote: { text: 'Milk' } }, errors: [] });
  });

  const shelf = '{ type: object, properties: { name: { type: string } } }';
  test.each([
    [
      'an object beside its type',
      'shelf: { type: object, allOf: [{ $ref: "#/components/schemas/Shelf" }] }',
      `Shelf: ${shelf}`,
    ],
    ['an escaped name', 'shelf: { $ref: "#/components/schemas/Shelf%3C%3E" }', `"Shelf<>": ${shelf}`],
    ['an escaped slash', 'shelf: { $ref: "#/components/schemas/~1Shelf" }', `/Shelf: ${shelf}`],
  ])('may have %s', (_what, property, schema) => {
    const { typeDefs } = described(document({ properties: `        ${property}`, schemas: `    ${schema}` }));
    expect(typeDefs).toContain('  shelf: Shelf\n');
  });

  test('may name a list of objects that have such a list', () => {
    const schemas = [
      'Shelves: { type: array, items: { $ref: "#/components/schemas/She.lf" } }',
      'She.lf: { type: object, properties: { below: { $ref: "#/components/schemas/Shelves" } } }',
    ];
    const properties = '        shelves: { $ref: "#/components/schemas/Shelves" }';
    const { typeDefs } = described(document({ properties, schemas: schemas.map((each) => `    ${each}`).join('\n') }));
    expect(typeDefs).toContain('  shelves: [Shelf!]\n');
    expect(typeDefs).toContain('  below: [Shelf!]\n');
  });

  test('may name a list of texts and such lists', () => {
    const properties = '        terms: { $ref: "#/components/schemas/Terms" }';
    const term = '{ oneOf: [{ type: string }, { $ref: "#/components/schemas/Terms" }] }';
    const schemas = `    Terms: { type: array, items: ${term} }`;
    expect(described(document({ properties, schemas })).typeDefs).toContain('terms: [JSON!]\n');
  });

  test('has any JSON for an object without properties', () => {
    const properties = '        part: { $ref: "#/components/schemas/Part" }';
    const schemas = '    Part: { type: object, properties: {} }';
    expect(described(document({ properties, schemas })).typeDefs).toContain('part: JSON\n');
  });

  test.each([
    ['a list of lists', document({ properties: '        cells: { type: array, items: { type: array, items: {} } }' })],
    ['an input', document().replace(/(NotePatch:\n.*\n *properties: {)/, '$1 any: {},')],
  ])('may have any JSON in %s alone', (_where, text) => {
    expect(described(text).typeDefs).toContain('\nscalar JSON');
  });

  test.each(['$ref: "#/components/schemas/Word"', 'allOf: [{ $ref: "#/components/schemas/Word" }]'])(
    'has no schema that is itself alone: %s',
    (itself) => {
      expect(mistakesIn(document({ paths: kind('Word', 'words'), schemas: `    Word: { ${itself} }` }))).toEqual([
        'components.schemas.Word: refers to itself and has nothing else; give it properties',
        'components.schemas.Word.properties: has no id; x-id names another',
      ]);
    },
  );

  test('has no two schemas whose names differ by signs alone', () => {
    const schemas = '    No.te: { type: object, properties: { id: { type: string } } }';
    expect(mistakesIn(document({ schemas }))).toEqual(['components.schemas.No.te: is Note too; rename one of them']);
  });

  test('may have examples of parameters, and other forms of those of a path', () => {
    const id = '{ name: id, in: path, required: true, schema: { type: string } }';
    const word = '{ name: word, in: query, example: milk, schema: { type: string, description: x } }';
    const text = document({ parameter: `${word}, ` })
      .replace('  /notes:\n', `$&    parameters: [${word.replace('string', 'integer')}]\n`)
      .replace('  /notes/{id}:\n', `$&    parameters: [${id}]\n`);
    expect(described(text).typeDefs).toContain('word: String\n');
  });

  test('may have keys of other programs', () => {
    const text = document()
      .replace('      operationId: getNote\n', '$&      x-amazon-apigateway-integration: { uri: x }\n')
      .replace('text: { type: string }', 'text: { type: string, x-go-name: Text, x-ms-enum: { name: x } }');
    expect(described(text).typeDefs).toBe(described(document()).typeDefs);
  });

  test('gives a name to operations that lack one of their own', () => {
    const text = document()
      .replace('operationId: getNote', 'operationId: note')
      .replace('operationId: listNotes\n', 'description: x\n')
      .replace('      description: Notes.\n', '');
    expect(described(text).typeDefs).toMatch(/ {2}notes\([\s\S]* {2}note\(/);
    const mark = get(
      '/notes/{id}/mark/',
      'x',
      '{ $ref: "#/components/parameters/id" }',
      '{ $ref: "#/components/schemas/Note" }',
    );
    const write = mark.replace('    get:', '    post:').replace('      operationId: x\n', '');
    expect(described(document({ paths: write })).typeDefs).toContain('  post_notes_id_mark(\n');
  });

  test.each([
    ['Story', 'stories'],
    ['Survey', 'surveys'],
    ['Address', 'addresses'],
    ['Box', 'boxes'],
    ['Branch', 'branches'],
    ['Status', 'statuses'],
    ['Place', 'places'],
    ['House', 'houses'],
    ['Movie', 'movies'],
  ])('names a list and ids of the type %s by its plural: %s', (type, plural) => {
    const list = '{ type: array, items: { $ref: "#/components/schemas/NotePage" } }';
    const text = document({
      paths: get('/others', 'read_all', '', list.replace('NotePage', type)),
      properties: `        ${type.toLowerCase()}_ids: { type: array, items: { type: string, x-reference: ${type} } }`,
      schemas: `    ${type}: { type: object, required: [id], properties: { id: { type: string } } }`,
    });
    const { typeDefs } = described(text);
    expect(typeDefs).toMatch(new RegExp(`  ${plural}: \\[${type}\\][\\s\\S]*  ${plural}\\(`));
    expect(typeDefs).toContain(`  ${type.toLowerCase()}_ids: [ID!]`);
  });

  test('without descriptions of filters says which rows they give', () => {
    const parameters = {
      size__gte: 'schema: { type: integer }',
      until_made: 'schema: { type: string, format: date-time }',
      'state[is]': 'x-argument: state, x-shown-by: [state, tags], schema: { type: string, enum: [new, old] }',
      q: 'x-argument: words, schema: { type: string }',
      sort: 'x-reorders: true, schema: { type: string, enum: [made, -made] }',
    };
    const properties = `        size: { type: integer }
        made: { type: string, format: date-time }
        state: { type: string }`;
    const parameter = Object.entries(parameters).map(([name, form]) => `{ name: "${name}", in: query, ${form} }, `);
    const paths = get(
      '/marks',
      'listMarks',
      '{ $ref: "#/components/parameters/size" }',
      '{ type: array, items: { $ref: "#/components/schemas/Mark" } }',
    );
    const { typeDefs } = described(
      document({
        ...{ parameter: `{ $ref: "#/components/parameters/size" }, ${parameter.join('')}`, properties, paths },
        schemas: '    Mark: { type: object, properties: { id: { type: string } } }',
      }).replace('    limit: {', '    size: { name: size, in: query, schema: { type: integer } }\n$&'),
    );
    const argumentsOf = (field: string) => {
      const [, found = ''] = new RegExp(`\\n  ${field}\\(\\n([^)]*?)\\n    "[^"]*"\\n    limit:`).exec(typeDefs) ?? [];
      return [...found.matchAll(/"(.*)"\n +(\w+):/g)].map(([, text, name]) => `${name}: ${text}`);
    };
    expect(argumentsOf('notes')).toEqual([
      'size: Only rows whose `size` is this.',
      'size__gte: Only rows whose `size` is at least this.',
      'until_made: Only rows whose `made` is not after this.',
      'state: Only rows whose `state` or `tags` is this. One of new, old.',
      'words: The parameter `q` of the service.',
      'sort: The parameter `sort` of the service. One of made, -made.',
    ]);
    expect(argumentsOf('marks')).toEqual(['size: The parameter `size` of the service.']);
  });

  test('may have types of other names than its schemas: x-type', async () => {
    const authors = '{ type: array, items: { $ref: "#/components/schemas/AuthorRow" } }';
    const text = document({
      properties: `        author_id: { type: string, x-reference: Author }
        place: { $ref: "#/components/schemas/Place-Output" }`,
      paths: kind('AuthorOut', 'authors') + get('/authors', 'listAuthors', '', authors),
      schemas: `    AuthorOut: { x-type: Author, type: object, properties: { id: { type: string }, name: { type: string } } }
    AuthorRow: { x-type: Author, type: object, properties: { id: { type: string } } }
    Place-Output: { x-type: Place, type: object, properties: { town: { type: string } } }`,
    })
      .replace('    Note:\n', '    NoteRead:\n      x-type: Note\n')
      .replaceAll('schemas/Note"', 'schemas/NoteRead"');
    const { query } = await startDescribed({ document: text }, ({ path }) => {
      if (path === '/authors') return { status: 200, body: [{ id: 'a1' }] };
      if (path === '/authors/a1') return { status: 200, body: { id: 'a1', name: 'Thoreau' } };
      const rows = [{ id: 'n1', author_id: 'a1', place: { town: 'Concord' } }];
      return { status: 200, body: { total: 1, rows } };
    });
    const { data, errors } = await query(`{
      notes(limit: 1) { results { __typename author { __typename name } place { __typename town } } }
      authors { results { name } }
    }`);
    expect(errors).toEqual([]);
    expect(data).toEqual({
      notes: {
        results: [
          {
            __typename: 'Note',
            author: { __typename: 'Author', name: 'Thoreau' },
            place: { __typename: 'Place', town: 'Concord' },
          },
        ],
      },
      authors: { results: [{ name: 'Thoreau' }] },
    });
  });

  test('may have filters with enums of their own, and of several types', () => {
    const schemas =
      '    Order: { type: string, enum: [newest, oldest] }\n    Dashed: { type: string, enum: [a-z, z-a] }';
    const schemaOf = {
      order: '$ref: "#/components/schemas/Order"',
      dashed: '$ref: "#/components/schemas/Dashed"',
      number: 'anyOf: [{ type: string }, { type: integer }]',
    };
    const parameter = Object.entries(schemaOf).map(
      ([name, schema]) => `{ name: ${name}, in: query, x-reorders: true, schema: { ${schema} } }, `,
    );
    const { typeDefs } = described(document({ parameter: parameter.join(''), schemas }));
    expect(typeDefs).toMatch(/ order: Order\n[\s\S]* dashed: String\n[\s\S]* number: String\n/);
    expect(typeDefs).toMatch(/\nenum Order \{[^}]* newest\n[^}]* oldest\n/);
  });

  test.each([
    ['a misspelt key', 'nullable: true', 'nulable: true'],
    ['a key of ours that is misspelt', 'x-spec-enum-id', 'x-scaler'],
  ])('keeps %s as a mistake', (_what, from, to) => {
    const key = to.split(':')[0];
    expect(mistakesIn(generated(drf.name, drf.wire, [from, to])).join('\n')).toContain(`.${key}: not a known key`);
  });

  test('says which operation needs another name, and which object another id', () => {
    const row = '{ type: array, items: { $ref: "#/components/schemas/Note" } }';
    const paths = get('/old-notes', 'old_notes', '', row) + kind('Word', 'words');
    const schemas = '    Word: { type: object, properties: { text: { type: string } } }';
    expect(mistakesIn(document({ paths, schemas }))).toEqual([
      'paths./old-notes.get.operationId: paths./notes.get makes the field notes too; an operationId such as `listOther` makes another',
      'components.schemas.Word.properties: has no id; x-id names another',
    ]);
  });

  test('may have rows in a page of no name, and objects that refer to themselves', () => {
    const page = '{ allOf: [{ $ref: "#/components/schemas/NotePage" }, { properties: { more: { type: boolean } } }] }';
    const text = document({ schemas: '    Tree: { allOf: [{ $ref: "#/components/schemas/Tree" }] }' }).replace(
      '{ $ref: "#/components/schemas/NotePage" }',
      page,
    );
    expect(described(text).typeDefs).toContain('type NoteConnection');
  });
});
