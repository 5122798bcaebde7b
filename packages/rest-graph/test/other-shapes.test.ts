import { describe, expect, test } from 'vitest';
import { ContractDrift } from '../../drift/contract-drift.ts';
import { Dialect } from '../../upstream/dialect.ts';
import { described, startDescribed } from './described-service.ts';
import { document, get, kind } from './notes.ts';

const write = 'mutation ($input: UpdateNoteInput!) { writeNote(id: "a", input: $input) { id text tags } }';
const refuse = (status: number, body: unknown) => () => ({ status, body });

test('a write whose answer has no object is read afterwards, where the selection needs more than the id', async () => {
  const stored = { id: 'a', text: 'Milk', tags: ['food'] };
  const { query, rest } = await startDescribed({ document: document() }, ({ method, body }) => {
    if (method === 'PUT') Object.assign(stored, body);
    return { status: 200, body: method === 'PUT' ? { updated: true } : stored };
  });
  const { data, errors, calls } = await query(write, { input: { text: 'Tea' } });
  expect(errors).toEqual([]);
  expect(data.writeNote).toEqual({ id: 'a', text: 'Tea', tags: ['food'] });
  expect(calls).toEqual(['PUT /notes/a', 'GET /notes/a']);
  expect(rest.requests[0]?.body).toEqual({ text: 'Tea' });
});

describe('an envelope', () => {
  const wire = (words: string) => `  dialects: { plain: { times: iso, envelope: { ${words} } } }`;
  const rows = { total: 1, rows: [{ id: 'a', text: 'Milk', tags: [] }] };

  test('needs no word for the status of a failure', async () => {
    const envelope = wire('success: ok, data: payload, message: error');
    const { query } = await startDescribed({ document: document({ wire: envelope }) }, ({ path }) => ({
      status: 200,
      body: path.startsWith('/notes?')
        ? { ok: true, payload: rows, error: null }
        : { ok: false, payload: null, error: 'broken' },
    }));
    expect((await query('{ notes { count results { text } } }')).data.notes).toEqual({
      count: 1,
      results: [{ text: 'Milk' }],
    });
    const failed = await query('{ note(id: "b") { text } }');
    expect(failed.errors).toMatchObject([{ extensions: { code: 'UPSTREAM_ERROR', upstream_status: 500 } }]);
  });

  test('needs no word for a success', async () => {
    const { query } = await startDescribed({ document: document({ wire: wire('data: payload') }) }, ({ path }) =>
      path.startsWith('/notes?')
        ? { status: 200, body: { payload: rows, meta: {} } }
        : { status: 404, body: { error: 'none' } },
    );
    expect((await query('{ notes { results { text } } }')).data.notes.results).toEqual([{ text: 'Milk' }]);
    const { errors } = await query('{ note(id: "b") { text } }');
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  });
});

test.each([
  ['no count', { rows: [] }, 'count in `total`'],
  ['a count that is a text', { total: '1', rows: [] }, 'count in `total`'],
  ['no rows', { total: 1 }, 'rows in `rows`'],
])('a page with %s is an error that says what is missing, and where', async (_case, body, missing) => {
  const { query } = await startDescribed({ document: document() }, () => ({ status: 200, body }));
  const { errors } = await query('{ notes { results { text } } }');
  const message = `The service answered \`listNotes\` with no ${missing}. Compare x-wire.page of the contract with the answer, and check UPSTREAM_URL.`;
  expect(errors).toMatchObject([{ message, extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } }]);
});

test('a page may have its count in an object, and its rows under the word of the envelope', async () => {
  const page = `    NotePage:
      type: object
      required: [meta, data]
      properties: { meta: { type: object, properties: { total: { type: integer } } }, data: { type: array, items: { $ref: "#/components/schemas/Note" } } }`;
  const text = document({ wire: '  dialects: { plain: { times: iso, envelope: { data: data } } }' })
    .replace(/ {4}NotePage:[\s\S]*?(?= {4}NotePatch:)/, `${page}\n`)
    .replace('page: { count: total, rows: rows,', 'page: { count: meta.total, rows: data,');
  const { query } = await startDescribed({ document: text }, ({ path }) => ({
    status: 200,
    body: path.startsWith('/notes?')
      ? { data: [{ id: 'a', text: 'Milk' }], meta: { total: 7 } }
      : { data: { id: 'a', text: 'Milk' } },
  }));
  const { data, errors } = await query('{ notes(limit: 1) { count results { text } } note(id: "a") { text } }');
  expect(errors).toEqual([]);
  expect(data).toEqual({ notes: { count: 7, results: [{ text: 'Milk' }] }, note: { text: 'Milk' } });
});

test('a property that a newer service has renamed keeps its field, and costs no call of its own', async () => {
  const keys =
    'x-graphql-only: { words: { type: String, keys: [[words, text]] }, size: { type: Int, keys: [[size, length]] } }';
  const text = document().replace('    Note:\n', `    Note:\n      ${keys}\n`);
  const rows = [
    { id: 'a', text: 'Milk', length: 4 },
    { id: 'b', words: { en: 'Tea' }, size: 0 },
    { id: 'c', words: null, size: 1 },
  ];
  const body = { total: rows.length, rows };
  const { query } = await startDescribed({ document: text }, () => ({ status: 200, body }));
  const { data, errors, calls } = await query('{ notes(limit: 3) { results { words size } } }');
  expect(errors).toEqual([]);
  expect(data.notes.results).toEqual([
    { words: 'Milk', size: 4 },
    { words: '{"en":"Tea"}', size: 0 },
    { words: null, size: 1 },
  ]);
  expect(calls).toHaveLength(1);
});

test('a list of ids that a newer service has renamed leaves out items without an id', async () => {
  const keys = 'x-graphql-only: { owner_ids: { type: "[ID!]", keys: [[owners, holders]] } }';
  const text = document().replace('    Note:\n', `    Note:\n      ${keys}\n`);
  const rows = [
    { id: 'a', owners: [{ id: 'o' }, 'p', null] },
    { id: 'b', holders: ['o'] },
  ];
  const { query } = await startDescribed({ document: text }, () => ({ status: 200, body: { total: 2, rows } }));
  const { data, errors } = await query('{ notes(limit: 2) { results { owner_ids } } }');
  expect(data.notes.results).toEqual([{ owner_ids: ['o', 'p'] }, { owner_ids: ['o'] }]);
  expect(errors).toMatchObject([
    { path: ['notes', 'results', 0, 'owner_ids', 2], extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } },
  ]);
});

describe('messages of a refused write', () => {
  test('that name their field in a property have its place in the input', async () => {
    const { query } = await startDescribed(
      { document: document({ wire: '  fieldErrors: { path: loc, message: msg, body: body }' }) },
      refuse(422, [
        { loc: ['body', 'tags', 1], msg: 'Unknown tag.', type: 'value_error' },
        { loc: ['body'], msg: 'The note is locked.', type: 'value_error' },
      ]),
    );
    const { errors } = await query(write, { input: { tags: ['a', 'b'] } });
    expect(errors).toMatchObject([
      {
        message: 'The service refuses the input (tags.1). The note is locked.',
        extensions: {
          code: 'BAD_USER_INPUT',
          fields: [
            { path: ['input', 'tags', 1], message: 'Unknown tag.' },
            { path: ['input'], message: 'The note is locked.' },
          ],
        },
      },
    ]);
  });

  test('have a code of any name beside a text about the whole body', async () => {
    const wire = '  wholeBody: [summary]\n  errorCode: kind';
    const { query } = await startDescribed(
      { document: document({ wire }) },
      refuse(400, { summary: 'Too late.', kind: 'late', since: '2026' }),
    );
    const { errors } = await query(write, { input: { text: 'Tea' } });
    expect(errors).toMatchObject([{ extensions: { fields: [{ path: ['input'], message: 'Too late.' }] } }]);
  });

  test('name their fields by JSON pointers beside a text about the whole body, as in RFC 9457', async () => {
    const wire =
      '  wholeBody: [detail, errors]\n  errorCode: type\n  fieldErrors: { path: pointer, message: detail, body: "#" }';
    const { query } = await startDescribed(
      { document: document({ wire }) },
      refuse(422, {
        ...{ type: 'https://notes/invalid', title: 'Invalid', status: 422, detail: 'Tags must be known.' },
        errors: [{ pointer: '#/tags/1', detail: 'Unknown tag.' }],
      }),
    );
    const { errors } = await query(write, { input: { tags: ['a', 'b'] } });
    expect(errors[0]).toMatchObject({
      message: 'The service refuses the input (tags.1). Tags must be known.',
      extensions: {
        fields: [
          { path: ['input'], message: 'Tags must be known.' },
          { path: ['input', 'tags', 1], message: 'Unknown tag.' },
        ],
      },
    });
  });
});

test('embedded objects need no id', async () => {
  const properties = `        place: { $ref: "#/components/schemas/Place" }
        lines: { type: array, items: { $ref: "#/components/schemas/Line" } }`;
  const schemas = `    Place: { type: object, properties: { page: { type: integer } } }
    Line: { type: object, required: [text], properties: { text: { type: string }, next: { type: string, x-reference: Note } } }`;
  const { query } = await startDescribed({ document: document({ properties, schemas }) }, ({ path }) => ({
    status: 200,
    body: path.endsWith('/a')
      ? {
          id: 'a',
          place: { page: 3 },
          lines: [
            { text: 'one', next: 'b' },
            { text: 'two', next: null },
          ],
        }
      : { id: 'b', text: 'Tea' },
  }));
  const { data, errors } = await query('{ note(id: "a") { place { page } lines { text next { text } } } }');
  expect(errors).toEqual([]);
  expect(data.note).toEqual({
    place: { page: 3 },
    lines: [
      { text: 'one', next: { text: 'Tea' } },
      { text: 'two', next: null },
    ],
  });
});

test('an object that no endpoint gives stands in the place of its id', async () => {
  const properties = '        book: { type: string, x-reference: { to: Book, mayBeEmbedded: true } }';
  const schemas =
    '    Book: { type: object, required: [id], properties: { id: { type: string }, name: { type: string } } }';
  const { query } = await startDescribed({ document: document({ properties, schemas }) }, () => ({
    status: 200,
    body: { id: 'a', book: { id: 'b1', name: 'Middlemarch' } },
  }));
  const { data, errors } = await query('{ note(id: "a") { book_id book { name } } }');
  expect([data, errors]).toEqual([{ note: { book_id: 'b1', book: { name: 'Middlemarch' } } }, []]);
});

test('lists of ids with any name have a field for the ids', () => {
  const properties = ['deputies', 'staff', 'authors']
    .map((name) => `        ${name}: { type: array, items: { type: string, x-reference: Note } }`)
    .join('\n');
  const { typeDefs } = described(document({ properties }));
  for (const field of ['deputy_ids', 'staff_ids', 'author_ids']) expect(typeDefs).toContain(`${field}: [ID!]`);
});

test('a property may be null in either form of OpenAPI 3.1', () => {
  const properties = `        place: { anyOf: [{ $ref: "#/components/schemas/Place" }, { type: "null" }] }
        title: { oneOf: [{ type: string, maxLength: 9 }, { type: "null" }] }`;
  const schemas = '    Place: { type: object, properties: { page: { type: integer } } }';
  const { typeDefs } = described(document({ properties, schemas }));
  expect(typeDefs).toContain('place: Place');
  expect(typeDefs).toContain('title: String @length(max: 9)');
});

test('a list may have items that are null', async () => {
  const { query } = await startDescribed(
    { document: document({ properties: '        marks: { type: array, items: { type: [string, "null"] } }' }) },
    () => ({ status: 200, body: { id: 'a', marks: ['new', null] } }),
  );
  const { data, errors } = await query('{ note(id: "a") { marks } }');
  expect([data, errors]).toEqual([{ note: { marks: ['new', null] } }, []]);
});

test('a list may have items of any JSON', async () => {
  const { query } = await startDescribed(
    { document: document({ properties: '        marks: { type: array, items: { x-scalar: JSON } }' }) },
    () => ({ status: 200, body: { id: 'a', marks: [1, { of: [null] }] } }),
  );
  const { data, errors } = await query('{ note(id: "a") { marks } }');
  expect([data, errors]).toEqual([{ note: { marks: [1, { of: [null] }] } }, []]);
});

test('objects of an input may hold objects of their own type', () => {
  const text = document().replace(
    'properties: { text: { type: string }, tags',
    'properties: { replies: { type: array, items: { $ref: "#/components/schemas/NotePatch" } }, text: { type: string }, tags',
  );
  const { typeDefs } = described(
    text.replace(
      '{ type: string }\n        tags',
      '{ type: string }\n        replies: { type: array, items: { $ref: "#/components/schemas/Note" } }\n        tags',
    ),
  );
  expect(typeDefs).toContain('replies: [NotePatch!]');
});

test('objects may embed objects of their own type, at any depth', async () => {
  const properties = '        replies: { type: array, items: { $ref: "#/components/schemas/Note" } }';
  const note = (id: string, ...replies: object[]) => ({ id, text: id, tags: [], replies });
  const answer = note('a', note('b', { ...note('c'), text: 3 }), note('d'));
  const { query, contract } = await startDescribed({ document: document({ properties }) }, () => ({
    status: 200,
    body: answer,
  }));
  const { data, errors } = await query('{ note(id: "a") { replies { text replies { id } } } }');
  expect(errors).toEqual([]);
  expect(data.note.replies).toEqual([
    { text: 'b', replies: [{ id: 'c' }] },
    { text: 'd', replies: [] },
  ]);
  const drift = new ContractDrift(contract, new Dialect(contract, 'auto'));
  drift.examine('getNote', answer);
  expect([...drift.counts()]).toEqual([
    { endpoint: 'getNote', field: 'text', kind: 'type', seen: 'integer', count: 1 },
  ]);
});

describe('a property x_id', () => {
  const parts = {
    properties: `        author_id: { type: [integer, "null"], x-reference: Author }
        reader_ids: { type: array, items: { type: integer, x-reference: Author } }
        editor_id: { type: integer, x-reference: Author }
        editor: { $ref: "#/components/schemas/Author" }
        foreign_id: { type: string, x-reference: Note }
        foreign: { type: boolean }
        shelf_id: { type: string, x-reference: Shelf }
        nextNoteId: { type: string, x-reference: Note }`,
    schemas: `    Author: { type: object, required: [id], properties: { id: { type: integer }, name: { type: string }, born: { type: integer } } }
    Shelf: { type: object, required: [id], properties: { id: { type: string } } }
    NoteWrite: { type: object, properties: { author_id: { type: integer, x-reference: Author }, text: { type: string } }, example: { text: Tea } }`,
    paths: `  /authors/{id}:
    get:
      operationId: getAuthor
      tags: [Notes]
      description: An author.
      parameters: [{ name: id, in: path, required: true, description: x, schema: { type: integer } }]
      responses: { "200": { description: x, content: { application/json: { schema: { $ref: "#/components/schemas/Author" } } } } }
  /new-notes:
    post:
      operationId: createNote
      tags: [Notes]
      description: Adds a note.
      requestBody: { required: true, description: x, content: { application/json: { schema: { $ref: "#/components/schemas/NoteWrite" } } } }
      responses: { "201": { description: x, content: { application/json: { schema: { $ref: "#/components/schemas/Note" } } } } }`,
  };
  const note = {
    id: 'a',
    author_id: 1,
    reader_ids: [2, 3],
    editor_id: 4,
    editor: { id: 4, name: 'Four' },
    foreign_id: 'b',
    foreign: true,
    nextNoteId: 'c',
  };
  const start = () =>
    startDescribed({ document: document(parts) }, ({ method, path, body }) => {
      const [, , id] = path.split('/');
      if (path.startsWith('/authors/'))
        return { status: 200, body: { id: Number(id), name: `Author ${id}`, born: 1900 } };
      if (method === 'POST') return { status: 201, body: { id: 'new', ...(body as object) } };
      return { status: 200, body: { ...note, id } };
    });

  test('has the name of its object, with the id beside it', async () => {
    const { query } = await start();
    const { data, errors, calls } = await query(`{ note(id: "a") {
      author_id author { name } reader_ids readers { name } editor_id editor { name }
      foreign_id { id } foreign_id_id foreign shelf_id nextNote { id } nextNote_id
    } }`);
    expect(errors).toEqual([]);
    expect(data.note).toEqual({
      author_id: '1',
      author: { name: 'Author 1' },
      reader_ids: ['2', '3'],
      readers: [{ name: 'Author 2' }, { name: 'Author 3' }],
      editor_id: '4',
      editor: { name: 'Four' },
      foreign_id: { id: 'b' },
      foreign_id_id: 'b',
      foreign: true,
      shelf_id: null,
      nextNote: { id: 'c' },
      nextNote_id: 'c',
    });
    expect(calls.toSorted()).toEqual(['GET /authors/1', 'GET /authors/2', 'GET /authors/3', 'GET /notes/a']);
  });

  test('is one call more where the object beside it lacks a field', async () => {
    const { query } = await start();
    const { data, calls } = await query('{ note(id: "a") { editor { name born } } }');
    expect(data.note.editor).toEqual({ name: 'Author 4', born: 1900 });
    expect(calls).toEqual(['GET /notes/a', 'GET /authors/4']);
  });

  test('keeps its name in the input of a write, and is compared with what is stored', async () => {
    const { query, rest } = await start();
    const { data, errors } = await query('mutation { createNote(input: { author_id: 7 }) { author { name } } }');
    expect(errors).toEqual([]);
    expect(data.createNote).toEqual({ author: { name: 'Author 7' } });
    expect(rest.requests[0]?.body).toEqual({ author_id: 7 });
  });

  test('stands by its YAML path in the complaint about an SDL without it', () => {
    const sdl =
      'type Author { id: ID! name: String born: Int } type Shelf { id: ID! } type Note { id: ID! text: String tags: [String!] }';
    expect(() => described(document(parts), sdl)).toThrow(
      'components.schemas.Note.properties.author_id: schema/*.graphql has no field Note.author:',
    );
  });
});

describe('a list below another object', () => {
  const below = {
    paths: `  /notes/{id}/marks:
    parameters: [{ name: id, in: path, required: true, description: The note., x-argument: note, schema: { type: string } }]
    get:
      operationId: listMarks
      tags: [Notes]
      description: Marks of a note.
      x-newest-first: made
      x-ways-back: [{ field: marks, of: [note], by: id, description: Marks of the note. }]
      parameters:
        - { name: word, in: query, x-shown-by: [word], description: With this word., schema: { type: string } }
        - { $ref: "#/components/parameters/limit" }
        - { $ref: "#/components/parameters/offset" }
      responses: { "200": { description: Marks., content: { application/json: { schema: { $ref: "#/components/schemas/MarkPage" } } } } }
    post:
      operationId: addMark
      tags: [Notes]
      description: Marks a note.
      requestBody:
        required: true
        description: The mark.
        content: { application/json: { schema: { $ref: "#/components/schemas/MarkWrite" } } }
      responses: { "201": { description: Marked., content: { application/json: { schema: { $ref: "#/components/schemas/Mark" } } } } }`,
    schemas: `    Mark:
      type: object
      required: [id]
      properties: { id: { type: string }, word: { type: string }, made: { type: string, format: date-time }, note: { type: string, x-reference: Note } }
    MarkPage:
      type: object
      required: [total, rows]
      properties: { total: { type: integer }, rows: { type: array, items: { $ref: "#/components/schemas/Mark" } } }
    MarkWrite: { type: object, properties: { word: { type: string } }, example: { word: old } }`,
  };

  /** Notes a and b have five marks each. */
  const start = () => {
    const marks = ['a', 'b'].flatMap((note) =>
      Array.from({ length: 5 }, (_, at) => ({
        id: `${note}${at}`,
        word: at % 2 ? 'odd' : 'even',
        made: new Date(Date.UTC(2026, 0, 9 - at)).toISOString(),
        note,
      })),
    );
    return startDescribed({ document: document(below) }, ({ method, path, body }) => {
      const { pathname, searchParams } = new URL(path, 'http://service');
      const [, , note = '', isBelow] = pathname.split('/');
      if (note !== 'a' && note !== 'b') return { status: 404, body: { detail: 'No such note.' } };
      if (!isBelow) return { status: 200, body: { id: note, text: `Note ${note}` } };
      if (method === 'POST')
        return { status: 201, body: { id: 'new', note, made: '2026-02-01T00:00:00Z', ...(body as object) } };
      const word = searchParams.get('word');
      const rows = marks.filter((mark) => mark.note === note && (word === null || mark.word.includes(word)));
      const offset = Number(searchParams.get('offset'));
      return {
        status: 200,
        body: { total: rows.length, rows: rows.slice(offset, offset + Number(searchParams.get('limit'))) },
      };
    });
  };

  test('has the id in its path, in cursors and beside other filters', async () => {
    const { query } = await start();
    const found: string[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const page: Awaited<ReturnType<typeof query>> = await query(
        'query ($after: String) { marks(note: "b", first: 2, after: $after) { next count results { id note { text } } } }',
        { after },
      );
      expect(page.errors).toEqual([]);
      expect(page.calls.every((call) => call.startsWith('GET /notes/b'))).toBe(true);
      for (const { id } of page.data.marks.results) found.push(id);
      after = page.data.marks.next;
    }
    expect(found).toEqual(['b0', 'b1', 'b2', 'b3', 'b4']);
    const filtered = await query('{ marks(note: "a", word: "odd") { count results { id } } }');
    expect(filtered.errors).toEqual([]);
    expect(filtered.data.marks).toEqual({ count: 2, results: [{ id: 'a1' }, { id: 'a3' }] });
    expect(filtered.calls.every((call) => call.startsWith('GET /notes/a/marks?'))).toBe(true);
  });

  test('answers NOT_FOUND for an unknown id, without a call where no path can have it', async () => {
    const { query } = await start();
    const { data, errors, calls } = await query(
      '{ none: marks(note: "c") { count } bad: marks(note: "../a") { count } }',
    );
    expect(data).toEqual({ none: null, bad: null });
    expect(errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)).toEqual([
      'NOT_FOUND',
      'NOT_FOUND',
    ]);
    expect(calls).toEqual(['GET /notes/c/marks?limit=1&offset=0']);
  });

  test('is a way back, with a page for each object', async () => {
    const { query } = await start();
    const { data, errors, calls } = await query(
      '{ a: note(id: "a") { marks(limit: 2) { complete results { id } } } b: note(id: "b") { marks(limit: 1) { results { id } } } }',
    );
    expect(errors).toEqual([]);
    expect(data).toEqual({
      a: { marks: { complete: true, results: [{ id: 'a0' }, { id: 'a1' }] } },
      b: { marks: { results: [{ id: 'b0' }] } },
    });
    expect(calls.toSorted()).toEqual([
      'GET /notes/a',
      'GET /notes/a/marks?limit=2&offset=0',
      'GET /notes/b',
      'GET /notes/b/marks?limit=1&offset=0',
    ]);
  });

  test('takes a new object, and an unknown id is no error of the new object', async () => {
    const { query } = await start();
    const add = 'mutation ($note: ID!) { addMark(note: $note, input: { word: "old" }) { id word note { text } } }';
    const { data, errors, calls } = await query(add, { note: 'b' });
    expect(errors).toEqual([]);
    expect(data.addMark).toEqual({ id: 'new', word: 'old', note: { text: 'Note b' } });
    expect(calls).toEqual(['POST /notes/b/marks', 'GET /notes/b']);
    const unknown = await query(add, { note: 'c' });
    expect(unknown.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    expect(unknown.errors[0].extensions.reference).toBeUndefined();
  });

  test('needs its id in a way back', () => {
    const paths = below.paths.replace('of: [note], by: id,', 'of: [note],');
    expect(() => described(document({ ...below, paths }))).toThrow(
      'paths./notes/{id}/marks.get.x-ways-back.marks.by: must be id, which stands in the path',
    );
  });
});

describe('an object in place of its id', () => {
  const author = (type: string) => `    Author:
      type: object
      required: [id]
      properties:
        id: { type: ${type} }
        name: { type: string }
        address: { $ref: "#/components/schemas/Address" }
        editor: { type: ${type}, x-reference: { to: Author, mayBeEmbedded: true } }
    Address: { type: object, properties: { town: { type: string }, street: { type: string } } }`;
  const parts = (type: string) => ({
    properties: `        author: { type: ${type}, x-reference: { to: Author, mayBeEmbedded: true } }`,
    schemas: author(type),
    paths: `  /authors/{id}:
    get:
      operationId: getAuthor
      tags: [Notes]
      description: An author.
      parameters: [{ name: id, in: path, required: true, description: x, schema: { type: ${type} } }]
      responses: { "200": { description: x, content: { application/json: { schema: { $ref: "#/components/schemas/Author" } } } } }`,
  });

  test('embeds another one, whose id is a number too', async () => {
    const { query } = await startDescribed({ document: document(parts('integer')) }, ({ path }) => {
      const editor = { id: 2, name: 'Kofi', editor: 3 };
      return path.startsWith('/notes/')
        ? { status: 200, body: { id: 'a', author: { id: 1, name: 'Ama', editor } } }
        : { status: 200, body: { id: 3, name: 'Yaa' } };
    });
    const { data, errors, calls } = await query(
      '{ note(id: "a") { author { name editor_id editor { id name editor { name } } } } }',
    );
    expect(errors).toEqual([]);
    expect(data.note.author).toEqual({
      ...{ name: 'Ama', editor_id: '2' },
      editor: { id: '2', name: 'Kofi', editor: { name: 'Yaa' } },
    });
    expect(calls).toEqual(['GET /notes/a', 'GET /authors/3']);
  });

  test('is read by its id where an object inside it lacks a field', async () => {
    const { query } = await startDescribed({ document: document(parts('string')) }, ({ path }) => {
      const whole = { id: '1', name: 'Ama', address: { town: 'Kumasi', street: 'Ring Road' } };
      const part = { ...whole, address: { town: 'Kumasi' } };
      return { status: 200, body: path === '/notes/a' ? { id: 'a', author: part } : whole };
    });
    const inPart = await query('{ note(id: "a") { author { name address { town } } } }');
    expect([inPart.data.note.author, inPart.calls]).toEqual([
      { name: 'Ama', address: { town: 'Kumasi' } },
      ['GET /notes/a'],
    ]);
    const { data, calls } = await query('{ note(id: "a") { author { address { town street } } } }');
    expect(data.note.author).toEqual({ address: { town: 'Kumasi', street: 'Ring Road' } });
    expect(calls).toEqual(['GET /notes/a', 'GET /authors/1']);
  });
});

test('an empty value that an update does not store is an error, whatever its argument with the id is called', async () => {
  const text = document().replace(
    /(operationId: writeNote[\s\S]*?)\{ \$ref: "#\/components\/parameters\/id" \}/,
    '$1{ name: id, in: path, required: true, x-argument: note, description: x, schema: { type: string } }',
  );
  const { query } = await startDescribed({ document: text }, ({ method }) =>
    method === 'PUT' ? { status: 204, body: undefined } : { status: 200, body: { id: 'a', text: 'Milk', tags: [] } },
  );
  const empty = 'mutation { writeNote(note: "a", input: { text: null }) { id } }';
  const { data, errors } = await query(empty);
  expect(data.writeNote).toEqual({ id: 'a' });
  expect(errors).toMatchObject([{ extensions: { code: 'INPUT_NOT_STORED', fields: [{ path: ['input', 'text'] }] } }]);
});

test('a write may take nothing', async () => {
  const paths = `  /notes/newest:
    post:
      operationId: addNote
      tags: [Notes]
      description: x
      responses: { "201": { description: x, content: { application/json: { schema: { $ref: "#/components/schemas/Note" } } } } }`;
  const { query } = await startDescribed({ document: document({ paths }) }, () => ({ status: 201, body: { id: 'a' } }));
  const { data, errors, calls } = await query('mutation { addNote { id } }');
  expect([data, errors, calls]).toEqual([{ addNote: { id: 'a' } }, [], ['POST /notes/newest']]);
});

test('an id has any name in its path', async () => {
  const text = document()
    .replace('/notes/{id}:', '/notes/{note-id}:')
    .replaceAll(
      '{ $ref: "#/components/parameters/id" }',
      '{ name: note-id, in: path, required: true, x-argument: id, description: x, schema: { type: string } }',
    );
  const { query } = await startDescribed({ document: text }, () => ({ status: 200, body: { id: 'a', text: 'Milk' } }));
  const { data, errors, calls } = await query('{ note(id: "a") { text } }');
  expect([data, errors, calls]).toEqual([{ note: { text: 'Milk' } }, [], ['GET /notes/a']]);
});

test('a GET finds its id, whatever the argument is called', async () => {
  const text = document().replace(
    /(operationId: getNote[\s\S]*?)\{ \$ref: "#\/components\/parameters\/id" \}/,
    '$1{ name: id, in: path, required: true, x-argument: note, description: x, schema: { type: string } }',
  );
  const { query } = await startDescribed({ document: text }, () => ({ status: 200, body: { id: 'a', text: 'Milk' } }));
  const { data, errors } = await query('{ note(note: "a") { text } }');
  expect([data, errors]).toEqual([{ note: { text: 'Milk' } }, []]);
});

test('numbers beyond 2⁵³ keep their digits in texts, lists of texts, ids and values of JSON', async () => {
  const properties = `        labels: { type: array, items: { type: string } }
        amount: { type: string, x-scalar: Decimal }
        any: { x-scalar: JSON }
        next: { type: string, x-reference: Note }`;
  const largest = '9007199254740991';
  const long = '12345678901234567890';
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
  const shown = async (digits: string, change = {}) => {
    const number = rawJSON(digits);
    const values = { text: number, labels: [number], amount: number, next: number };
    const body = { id: 'a', ...values, any: { x: [rawJSON(`-${digits}`), 0.1] }, ...change };
    const { query } = await startDescribed({ document: document({ properties }) }, () => ({ status: 200, body }));
    const { data, errors } = await query('{ note(id: "a") { text labels amount next_id any } }');
    expect(errors).toEqual([]);
    return data.note;
  };
  const texts = (digits: string) => ({ text: digits, labels: [digits], amount: digits, next_id: digits });

  expect(await shown(largest)).toEqual({ ...texts(largest), any: { x: [-largest, 0.1] } });
  expect(await shown(long)).toEqual({ ...texts(long), any: { x: [`-${long}`, 0.1] } });
  const nested = await shown(long, { text: { code: rawJSON(long) } });
  expect(nested).toMatchObject({ text: `{"code":"${long}"}` });
});

describe('an input of JSON', () => {
  test.each(['[1e400]', '{ x: [{ y: -1e400 }] }'])('is refused where JSON has no such number: %s', async (literal) => {
    const { query } = await startDescribed({ document: text }, () => ({ status: 200, body: { id: 'a' } }));
    const { errors, calls } = await query(`mutation { writeNote(id: "a", input: { any: ${literal} }) { id } }`);
    const fields = [{ path: ['input', 'any'], message: 'Larger than any number that can be sent.' }];
    expect([errors, calls]).toMatchObject([[{ extensions: { code: 'BAD_USER_INPUT', fields } }], []]);
  });

  const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

  test.each([501, 3_000])('is refused with %d levels', async (levels) => {
    const { query } = await startDescribed({ document: text }, () => ({ status: 200, body: { id: 'a' } }));
    const { errors, calls } = await query(
      'mutation ($value: JSON) { writeNote(id: "a", input: { any: $value }) { id } }',
      { value: nested(levels) },
    );
    const fields = [{ path: ['input', 'any'], message: '$value: JSON may have 500 levels; this has more.' }];
    expect([errors, calls]).toMatchObject([[{ extensions: { code: 'BAD_USER_INPUT', fields } }], []]);
  });

  test('is refused where a variable makes a literal too deep', async () => {
    const { query } = await startDescribed({ document: text }, () => ({ status: 200, body: { id: 'a' } }));
    const { errors, calls } = await query(
      'mutation ($value: JSON) { writeNote(id: "a", input: { any: [$value] }) { id } }',
      { value: nested(500) },
    );
    expect([errors, calls]).toMatchObject([[{ extensions: { code: 'BAD_USER_INPUT' } }], []]);
  });

  test('is sent with 500 levels', async () => {
    expect(await sent('$value', nested(500))).toEqual({ any: nested(500) });
  });

  const any = 'any: { x-scalar: JSON }';
  const text = document({ properties: `        ${any}` })
    .replace('properties: { text:', `properties: { ${any}, text:`)
    .replace('example: { ', 'example: { any: 1, ');

  /** The body that the service gets for a literal with a variable in it. */
  async function sent(literal: string, value: unknown) {
    let stored: object = {};
    const { query } = await startDescribed({ document: text }, ({ method, body }) => {
      if (method === 'GET') return { status: 200, body: { id: 'a', ...stored } };
      stored = body as object;
      return { status: 204, body: undefined };
    });
    const operation = `mutation ($value: JSON) { writeNote(id: "a", input: { any: ${literal} }) { id } }`;
    const { errors } = await query(operation, { value });
    expect(errors).toEqual([]);
    return stored;
  }

  test.each([[7], ['text'], [[1, 'a']], [{ x: [1] }]])('is what the service stores: %j', async (value) => {
    expect(await sent('$value', value)).toEqual({ any: value });
    expect(await sent('{ x: [$value] }', value)).toEqual({ any: { x: [value] } });
  });

  test('keeps the digits of integers in its literals as in variables', async () => {
    const long = '9007199254740993';
    const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
    expect(await sent(`[$value, ${long}, { x: -${long} }, 9007199254740992, 7, -0]`, rawJSON(long))).toEqual({
      any: [long, long, { x: `-${long}` }, 9007199254740992, 7, 0],
    });
  });
});

test('a Decimal that is a number in exponential notation is an error, and none with other digits', async () => {
  const properties = '        amount: { type: string, x-scalar: Decimal }';
  const amounts = ['12345678901234567890', 0.1, -0, 1e21];
  const { query } = await startDescribed({ document: document({ properties }) }, () => {
    const rows = amounts.map((amount, at) => ({ id: `n${at}`, amount }));
    return { status: 200, body: { total: rows.length, rows } };
  });
  const { data, errors } = await query('{ notes { results { amount } } }');
  const shown = data.notes.results.map(({ amount }: { amount: string }) => amount);
  expect(shown).toEqual(['12345678901234567890', '0.1', '0', null]);
  expect(errors.map(({ path }: { path: unknown[] }) => path[2])).toEqual([3]);
});

test('an id has any characters that fit one place of a path', async () => {
  const ids = ['v1.2', 'ama@farm.example', 'urn:isbn:1', 'é', 'a b', 'A', 'a', 'x'.repeat(255)];
  const properties = `        next: { type: string, x-reference: Note }
        tag: { type: string, x-reference: Tag }`;
  const schemas = `    Tag: { type: object, required: [id], properties: { id: { type: string }, name: { type: string } } }
    TagPage: { type: object, required: [total, rows], properties: { total: { type: integer }, rows: { type: array, items: { $ref: "#/components/schemas/Tag" } } } }`;
  const paths = `  /tags:
    get:
      operationId: listTags
      tags: [Notes]
      description: Tags.
      parameters: [{ $ref: "#/components/parameters/limit" }, { $ref: "#/components/parameters/offset" }]
      responses: { "200": { description: x, content: { application/json: { schema: { $ref: "#/components/schemas/TagPage" } } } } }`;
  const { query } = await startDescribed({ document: document({ properties, schemas, paths }) }, ({ path }) => {
    const page = (rows: object[]) => ({ status: 200, body: { total: rows.length, rows } });
    if (path.startsWith('/tags?')) return page(ids.map((id) => ({ id, name: `Tag ${id}` })));
    if (path.startsWith('/notes?')) return page(ids.map((id) => ({ id: `of ${id}`, next: id, tag: id })));
    const id = decodeURIComponent(path.slice('/notes/'.length));
    return { status: 200, body: { id, text: `Note ${id}` } };
  });
  const { data, errors } = await query('{ notes { results { next { text } tag { name } } } }');
  expect(errors).toEqual([]);
  expect(data.notes.results).toEqual(ids.map((id) => ({ next: { text: `Note ${id}` }, tag: { name: `Tag ${id}` } })));
  for (const id of ['..', '.a', 'a/b', 'a%2Fb', 'a?b', '']) {
    const { data, calls } = await query('query ($id: ID!) { note(id: $id) { text } }', { id });
    expect([data, calls]).toEqual([{ note: null }, []]);
  }
});

test('an id with a space stands in a path as such', async () => {
  const text = document().replace(
    'parameters:\n    id: { name: id, in: path, required: true, description: The id., schema: { type: string } }',
    'parameters:\n    id: { name: id, in: path, required: true, description: The id., schema: { type: string, pattern: "^[a-z ]+$" } }',
  );
  const { query } = await startDescribed({ document: text }, ({ path }) => {
    const [, id = ''] = /^\/notes\/(.+)$/.exec(path) ?? [];
    return { status: 200, body: { id: decodeURIComponent(id), text: 'Milk' } };
  });
  const { data, errors, calls } = await query('{ note(id: "a b") { id text } }');
  expect([data, errors]).toEqual([{ note: { id: 'a b', text: 'Milk' } }, []]);
  expect(calls).toEqual(['GET /notes/a%20b']);
});

test('a service may have no writes', async () => {
  const text = document().replace(/ {4}put:[\s\S]*?(?=components:)/, '');
  const { query } = await startDescribed({ document: text }, () => ({ status: 200, body: { id: 'a', text: 'Milk' } }));
  expect((await query('{ note(id: "a") { text } }')).data).toEqual({ note: { text: 'Milk' } });
});

test('a union of kinds has a field of Query, an interface and a type for unknown kinds', async () => {
  const schemas = `    Page: { type: object, required: [id], properties: { id: { type: string }, text: { type: string }, size: { type: integer } } }
    Thing: { oneOf: [{ $ref: "#/components/schemas/Note" }, { $ref: "#/components/schemas/Page" }], x-unknown: UnknownThing }`;
  const paths = `  /pages/{id}:
    get:
      operationId: getPage
      tags: [Notes]
      description: A page.
      parameters: [{ $ref: "#/components/parameters/id" }]
      responses: { "200": { description: A page., content: { application/json: { schema: { $ref: "#/components/schemas/Page" } } } } }`;
  const parts = { document: document({ paths, schemas }) };
  const { query } = await startDescribed(parts, ({ path }) =>
    path === '/pages/p' ? { status: 200, body: { id: 'p', text: 'One', size: 3 } } : { status: 404, body: {} },
  );
  const { data, errors } = await query('{ thing(id: "p") { __typename text ... on Page { size } } }');
  expect(errors).toEqual([]);
  expect(data.thing).toEqual({ __typename: 'Page', text: 'One', size: 3 });
  const sdl = '"…"\ntype Page {\n  "…"\n  id: ID!\n  "…"\n  text: String\n  "…"\n  size: Int\n}';
  expect(() => described(parts.document, sdl)).toThrow(
    'components.schemas.Thing: type Page in schema/*.graphql needs `implements Thing`',
  );
});

test('kinds of a union may have properties of one name and different types', async () => {
  const properties = '        size: { type: string }\n        next: { type: string, x-reference: Note }';
  const schemas = `    Page: { type: object, required: [id], properties: { id: { type: string }, text: { type: string }, size: { type: integer }, next: { type: array, items: { type: string, x-reference: Page } } } }
    Thing: { oneOf: [{ $ref: "#/components/schemas/Note" }, { $ref: "#/components/schemas/Page" }], x-unknown: UnknownThing }`;
  const paths = `  /pages/{id}:
    get:
      operationId: getPage
      tags: [Notes]
      description: A page.
      parameters: [{ $ref: "#/components/parameters/id" }]
      responses: { "200": { description: A page., content: { application/json: { schema: { $ref: "#/components/schemas/Page" } } } } }`;
  const { query } = await startDescribed({ document: document({ properties, paths, schemas }) }, ({ path }) => {
    const id = path.slice('/pages/'.length);
    return path.startsWith('/pages/')
      ? { status: 200, body: { id, text: `Page ${id}`, size: 3, next: ['q'] } }
      : { status: 404, body: {} };
  });
  const { data, errors } = await query('{ thing(id: "p") { text ... on Page { size next { text } } } }');
  expect([data, errors]).toEqual([{ thing: { text: 'Page p', size: 3, next: [{ text: 'Page q' }] } }, []]);
});

test('properties of answers may have any names, which the graph shows as its own', async () => {
  const properties = `        first-name: { type: string }
        "@type": { type: string, enum: [short, long] }
        dc.title: { $ref: "#/components/schemas/Title" }
        2nd: { type: array, items: { type: number } }
        author-id: { type: string, x-reference: Author }
        made-at: { type: string, format: date-time }`;
  const text = document({
    properties,
    parameter:
      '{ name: first-name, in: query, x-argument: first_name, x-shown-by: [first-name], schema: { type: string } }, ',
    paths: kind('Author', 'authors'),
    schemas: `    Title: { type: object, properties: { long-text: { type: string } } }
    Author: { type: object, required: [id], properties: { id: { type: string }, full-name: { type: string } } }`,
  }).replace(
    'x-proves-key: true',
    'x-proves-key: true\n      x-newest-first: made-at\n      x-ways-back: [{ field: notes, of: [author-id], description: x }]',
  );
  const row = (id: string) => ({
    ...{ id, 'first-name': 'Ada', '@type': 'short', 'dc.title': { 'long-text': 'A note' }, '2nd': [1] },
    ...{ 'author-id': '7', 'made-at': '2026-01-01T00:00:00Z' },
  });
  const { query } = await startDescribed({ document: text }, ({ path }) => {
    if (path.startsWith('/authors/')) return { status: 200, body: { id: '7', 'full-name': 'Ada L.' } };
    return { status: 200, body: path.startsWith('/notes?') ? { total: 1, rows: [row('a')] } : row('b') };
  });
  const note = { first_name: 'Ada', _type: 'short', dc_title: { long_text: 'A note' }, _2nd: [1], author_id: '7' };
  const fields = 'first_name _type dc_title { long_text } _2nd author_id';
  const { data, errors } = await query(
    `{ notes(first_name: "Ada") { results { ${fields} author { full_name notes { results { id } } } } } note(id: "b") { ${fields} } }`,
  );
  expect(errors).toEqual([]);
  const author = { full_name: 'Ada L.', notes: { results: [{ id: 'a' }] } };
  expect(data).toEqual({ notes: { results: [{ ...note, author }] }, note });
});

describe('a form that the gateway cannot take is refused by its YAML path:', () => {
  const path = (lines: string) =>
    `  /other:\n    get:\n      operationId: getOther\n      tags: [Notes]\n      description: x\n${lines}`;
  test.each([
    [
      'a GET without an answer',
      { paths: path('      responses: { "204": { description: x } }') },
      'paths./other.get.responses.204: has no JSON, and the path has no GET that shows the object',
    ],
    [
      'several ids in the path of an object',
      {
        paths:
          '  /notes/{id}/marks/{mark}:\n    get:\n      operationId: getMark\n      tags: [Notes]\n      description: x\n      parameters: [{ $ref: "#/components/parameters/id" }, { name: mark, in: path, required: true, description: x, schema: { type: string } }]\n      responses: { "200": { description: x, content: { application/json: { schema: { $ref: "#/components/schemas/Note" } } } } }',
      },
      'paths./notes/{id}/marks/{mark}.get: has several ids in its path; only a list may',
    ],
    [
      'a property whose name GraphQL cannot have, beside one of its name there',
      { properties: '        page-size: { type: integer }\n        page_size: { type: integer }' },
      'components.schemas.Note.properties.page-size: is no name of GraphQL; leave the property out',
    ],
    [
      'an object without a schema of its own, in a property of another name in the graph',
      { properties: '        page-size: { type: object, properties: { width: { type: integer } } }' },
      'components.schemas.Note.properties.page-size: an object needs a schema of its own, and a $ref to it',
    ],
    [
      'a page without a count and a schema of its own',
      {
        paths: get(
          '/others',
          'listOthers',
          '',
          '{ type: object, properties: { rows: { type: array, items: { $ref: "#/components/schemas/Note" } } } }',
        ).replace(
          'parameters: []',
          'parameters: [{ $ref: "#/components/parameters/limit" }, { $ref: "#/components/parameters/offset" }]',
        ),
      },
      'paths./others.get.responses: has no total',
    ],
    [
      'a path with numbers to objects without an id',
      {
        paths: kind('Shelf', 'shelves').replace(
          '{ $ref: "#/components/parameters/id" }',
          '{ name: id, in: path, required: true, schema: { type: integer } }',
        ),
        schemas: '    Shelf: { type: object, properties: { name: { type: string } } }',
      },
      'mistakes:\ncomponents.schemas.Shelf.properties: has no id; x-id names another',
    ],
    [
      'a filter that a list needs',
      { parameter: '{ name: word, in: query, required: true, description: x, schema: { type: string } }, ' },
      'paths./notes.get.parameters.word.required: a list answers without its filters',
    ],
    [
      'two endpoints that make one field',
      {
        paths: path(
          '      parameters: [{ $ref: "#/components/parameters/id" }]\n      responses: { "200": { description: x, content: { application/json: { schema: { $ref: "#/components/schemas/Note" } } } } }',
        )
          .replace('/other', '/other/{id}')
          .replace('getOther', 'getNote'),
      },
      'paths./other/{id}.get.operationId: paths./notes/{id}.get makes the field note too',
    ],
    [
      'an object without a schema of its own',
      { properties: '        size: { type: object, properties: { width: { type: integer } } }' },
      'components.schemas.Note.properties.size: an object needs a schema of its own, and a $ref to it',
    ],
  ])('%s', (_what, parts, message) => {
    expect(() => described(document(parts))).toThrow(message);
  });

  test('text that is no YAML', () => {
    expect(() => described('paths: [')).toThrow('The document is no YAML');
  });
});
