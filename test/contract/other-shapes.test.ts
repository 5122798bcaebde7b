import { describe, expect, test } from 'vitest';
import { described, startDescribed } from './described-service.ts';

/** A list and a GET of notes. `paths` and `schemas` come beside them. */
const document = ({ paths = '', schemas = '', wire = '', properties = '' } = {}) => `
openapi: 3.1.0
info: { title: Notes, version: "1" }
servers: []
security: [{ Key: [] }]
tags: [{ name: Notes }]
paths:
  /notes:
    get:
      operationId: listNotes
      tags: [Notes]
      description: Notes.
      x-proves-key: true
      parameters: [{ $ref: "#/components/parameters/limit" }, { $ref: "#/components/parameters/offset" }]
      responses: { "200": { description: Notes., content: { application/json: { schema: { $ref: "#/components/schemas/NotePage" } } } } }
  /notes/{id}:
    get:
      operationId: getNote
      tags: [Notes]
      description: A note.
      parameters: [{ $ref: "#/components/parameters/id" }]
      responses: { "200": { description: A note., content: { application/json: { schema: { $ref: "#/components/schemas/Note" } } } } }
    put:
      operationId: writeNote
      tags: [Notes]
      description: Writes a note.
      parameters: [{ $ref: "#/components/parameters/id" }]
      requestBody:
        required: true
        description: The note.
        content: { application/json: { schema: { $ref: "#/components/schemas/NotePatch" } } }
      responses: { "204": { description: Written. } }
${paths}
components:
  securitySchemes: { Key: { type: http, scheme: bearer } }
  parameters:
    id: { name: id, in: path, required: true, description: The id., schema: { type: string } }
    limit: { name: limit, in: query, description: Rows., schema: { type: integer } }
    offset: { name: offset, in: query, description: Rows to skip., schema: { type: integer } }
  schemas:
    Note:
      type: object
      required: [id]
      properties:
        id: { type: string }
        text: { type: string }
        tags: { type: array, items: { type: string } }
${properties}
    NotePage:
      type: object
      required: [total, rows]
      properties: { total: { type: integer }, rows: { type: array, items: { $ref: "#/components/schemas/Note" } } }
    NotePatch:
      type: object
      properties: { text: { type: string }, tags: { type: array, items: { type: string } } }
      example: { text: Milk, tags: [food] }
${schemas}
x-wire:
  page: { count: total, rows: rows, limit: limit, offset: offset }
${wire}
`;

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

test('lists of ids with any name have a field for the ids', () => {
  const properties = ['deputies', 'staff', 'authors']
    .map((name) => `        ${name}: { type: array, items: { type: string, x-reference: Note } }`)
    .join('\n');
  const { typeDefs } = described(document({ properties }));
  for (const field of ['deputy_ids', 'staff_ids', 'author_ids']) expect(typeDefs).toContain(`${field}: [ID!]`);
});

describe('a form that the gateway cannot take is refused by its YAML path:', () => {
  const path = (lines: string) =>
    `  /other:\n    get:\n      operationId: getOther\n      tags: [Notes]\n      description: x\n${lines}`;
  test.each([
    [
      'a bare list',
      {
        paths: path(
          '      responses: { "200": { description: x, content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Note" } } } } } }',
        ),
      },
      'paths./other.get.responses.200: its schema must be a $ref, to one object or to a page; the gateway cannot read a bare list, which has no count',
    ],
    [
      'a GET without an answer',
      { paths: path('      responses: { "204": { description: x } }') },
      'paths./other.get.responses.204: has no content, and the path has no GET that shows the object',
    ],
    [
      'a deletion',
      { paths: '  /other/{id}:\n    delete: { operationId: deleteOther }' },
      'paths./other/{id}.delete: is not possible',
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
