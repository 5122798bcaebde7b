import { expect, test } from 'vitest';
import { startDescribed } from './described-service.ts';
import { document } from './notes.ts';

const patch = (name: string) => `
    patch:
      operationId: ${name}
      tags: [Notes]
      description: Writes a note.
      parameters: [{ $ref: "#/components/parameters/id" }]
      requestBody: { required: true, description: x, content: { application/json: { schema: { $ref: "#/components/schemas/NoteChange" } } } }
      responses: { "200": { description: x, content: { application/json: { schema: { $ref: "#/components/schemas/Note" } } } } }`;

/** Notes whose texts a PATCH changes, and which a PATCH below them closes. */
const text = document({
  paths: `${patch('updateNote').slice(1)}\n  /notes/{id}/close:${patch('closeNote')}`,
  schemas: '    NoteChange: { type: object, properties: { text: { type: string } }, example: { text: Milk } }',
});

test('an update without a field is refused without a call, and an action needs none', async () => {
  const { query, rest } = await startDescribed({ document: text }, () => ({ status: 200, body: { id: 'a' } }));
  const refused = await query('mutation { updateNote(id: "a", input: {}) { id } }');
  expect(refused.errors).toMatchObject([
    { extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['input'], message: 'Give a field to change.' }] } },
  ]);
  expect(refused.calls).toEqual([]);

  const closed = await query('mutation { closeNote(id: "a", input: {}) { id } }');
  expect([closed.data, closed.errors, closed.calls]).toEqual([
    { closeNote: { id: 'a' } },
    [],
    ['PATCH /notes/a/close'],
  ]);
  expect(rest.requests[0]?.body).toEqual({});
});
