import { expect, test } from 'vitest';
import { described, startDescribed } from './described-service.ts';
import { document } from './notes.ts';

const drop = (name: string, answer = '"204": { description: Gone. }') => `
    delete:
      operationId: ${name}
      tags: [Notes]
      description: Deletes one.
      parameters: [{ $ref: "#/components/parameters/id" }]
      responses: { ${answer} }`;
const page = '{ $ref: "#/components/parameters/limit" }, { $ref: "#/components/parameters/offset" }';

/** Notes, and the tags that no GET gives by id. */
const text = document({
  paths: `${drop('deleteNote').slice(1)}
  /tags:
    get:
      operationId: listTags
      tags: [Notes]
      description: Tags.
      parameters: [${page}]
      responses: { "200": { description: x, content: { application/json: { schema: { $ref: "#/components/schemas/TagPage" } } } } }
  /tags/{id}:${drop('deleteTag', '"200": { description: Gone., content: { application/json: { schema: { type: object, properties: { deleted: { type: integer } } } } } }')}`,
  schemas: `
    Tag: { type: object, required: [id], properties: { id: { type: string }, name: { type: string } } }
    TagPage: { type: object, required: [total, rows], properties: { total: { type: integer }, rows: { type: array, items: { $ref: "#/components/schemas/Tag" } } } }`,
  wire: '  wholeBody: [detail]',
});

async function startNotes() {
  const rows: Record<string, { id: string; text?: string; name?: string }[]> = {
    notes: ['a', 'b', 'locked', 'broken'].map((id) => ({ id, text: `Text ${id}` })),
    tags: ['t1', 't2'].map((id) => ({ id, name: `Tag ${id}` })),
  };
  return startDescribed({ document: text }, ({ method, path }) => {
    const [, list = '', id] = new URL(path, 'http://notes').pathname.split('/');
    const found = rows[list] ?? [];
    if (id === undefined) return { status: 200, body: { total: found.length, rows: found } };
    const row = found.find((each) => each.id === id);
    if (!row) return { status: 404, body: { detail: 'Not found.' } };
    if (method === 'GET') return { status: 200, body: row };
    if (id === 'locked') return { status: 400, body: { detail: 'The note is locked.' } };
    if (id === 'broken') return { status: 502, body: undefined };
    rows[list] = found.filter((each) => each !== row);
    return list === 'tags' ? { status: 200, body: { deleted: 1 } } : { status: 204, body: undefined };
  });
}

test('a DELETE is a mutation that gives the id of what is gone, which no read shows afterwards', async () => {
  const { query, rest } = await startNotes();
  const before = await query('{ notes { count } note(id: "a") { text } }');
  expect(before.data).toEqual({ notes: { count: 4 }, note: { text: 'Text a' } });

  const { data, errors, calls } = await query('mutation { deleteNote(id: "a") }');
  expect([data, errors, calls]).toEqual([{ deleteNote: 'a' }, [], ['DELETE /notes/a']]);
  expect(rest.requests[0]).toMatchObject({ body: undefined, headers: { authorization: 'demo' } });
  expect(rest.requests[0]?.headers).not.toHaveProperty('content-type');

  const after = await query('{ notes { count results { id } } note(id: "a") { text } }');
  expect(after.data.notes).toEqual({ count: 3, results: [{ id: 'b' }, { id: 'locked' }, { id: 'broken' }] });
  expect(after.errors).toMatchObject([{ path: ['note'], extensions: { code: 'NOT_FOUND' } }]);
});

test('a cached list lacks the row that is gone', async () => {
  const { query } = await startNotes();
  const list = '{ tags { results { id } } }';
  await query(list);
  expect((await query(list)).calls).toEqual([]);
  const { data, calls } = await query('mutation { deleteTag(id: "t1") }');
  expect([data, calls]).toEqual([{ deleteTag: 't1' }, ['DELETE /tags/t1']]);
  expect((await query(list)).data.tags.results).toEqual([{ id: 't2' }]);
});

test('a second DELETE is NOT_FOUND, and under its key the first one answers again', async () => {
  const { query } = await startNotes();
  const again = () => query('mutation { deleteNote(id: "a") }', {}, 'demo', { 'idempotency-key': 'one' });
  expect((await again()).calls).toEqual(['DELETE /notes/a']);
  const replayed = await again();
  expect([replayed.data, replayed.errors, replayed.calls]).toEqual([{ deleteNote: 'a' }, [], []]);

  const { data, errors } = await query('mutation { deleteNote(id: "a") deleteTag(id: "t2") }');
  expect(data).toEqual({ deleteNote: null, deleteTag: 't2' });
  expect(errors).toMatchObject([
    { path: ['deleteNote'], extensions: { code: 'NOT_FOUND', reference: { type: 'Note', id: 'a' } } },
  ]);
});

test('a DELETE of unknown outcome says so, and is sent once', async () => {
  const { query } = await startNotes();
  const { data, errors, calls } = await query('mutation { deleteNote(id: "broken") }');
  expect([data, calls]).toEqual([{ deleteNote: null }, ['DELETE /notes/broken']]);
  expect(errors).toMatchObject([{ extensions: { code: 'OUTCOME_UNKNOWN', upstream_status: 502 } }]);
});

test('a refusal of a DELETE has the words of the service, and names no input', async () => {
  const { query } = await startNotes();
  const { errors } = await query('mutation { deleteNote(id: "locked") }');
  expect(errors).toMatchObject([
    { extensions: { code: 'BAD_USER_INPUT', fields: [{ path: [], message: 'The note is locked.' }] } },
  ]);
});

const needs =
  'a DELETE needs the id in its path of what the GET beside it or the list above it shows; otherwise leave the endpoint out';

test.each<[habit: string, paths: string, mistake: string]>([
  ['of a whole list', `  /all:${drop('deleteAll').replace(/\n +parameters.*/, '')}`, `paths./all.delete: ${needs}`],
  ['of what no read shows', `  /stars/{id}:${drop('removeStar')}`, `paths./stars/{id}.delete: ${needs}`],
  [
    'with a body',
    drop('deleteNote')
      .slice(1)
      .replace(
        '      responses',
        '      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/NotePatch" } } } }\n      responses',
      ),
    'paths./notes/{id}.delete.requestBody: a DELETE has no body; leave it out',
  ],
])('the generator refuses a DELETE %s', (_habit, paths, mistake) => {
  expect(() => described(document({ paths }))).toThrow(new Error(`The contract has mistakes:\n${mistake}`));
});
