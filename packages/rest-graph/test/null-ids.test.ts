import { expect, test } from 'vitest';
import { subgraphFields } from '../../federation/index.ts';
import { startDescribed } from './described-service.ts';
import { document } from './notes.ts';

/** A note has parts, alone and in a list. New ones have no id yet. */
const parted = (id: string) =>
  document({
    properties: `        parts: { type: array, items: { $ref: "#/components/schemas/Part" } }
        first: { $ref: "#/components/schemas/Part" }`,
    schemas: `    Part: { type: object, properties: { id: ${id}, text: { type: string } } }`,
  });

async function read(id: string) {
  const first = { id: null, text: 'One' };
  const note = { id: 'n1', first, parts: [first, { id: 'p2', text: 'Two' }, { text: 'Three' }] };
  const { query } = await startDescribed({ document: parted(id) }, () => ({ status: 200, body: note }));
  return query('{ note(id: "n1") { first { id text } parts { id text } } }');
}

test.each(['{ type: [string, "null"] }', '{ type: integer, nullable: true }'])(
  'parts without an id are shown where the contract says that it may be null: %s',
  async (id) => {
    const { data, errors } = await read(id);
    const first = { id: null, text: 'One' };
    const parts = [first, { id: 'p2', text: 'Two' }, { id: null, text: 'Three' }];
    expect([data.note, errors]).toEqual([{ first, parts }, []]);
  },
);

test('a part without an id is left out with an error where the contract has it', async () => {
  const { data, errors } = await read('{ type: string }');
  expect(data.note).toEqual({ first: null, parts: [{ id: 'p2', text: 'Two' }] });
  expect(errors.map(({ path = [] }: { path?: string[] }) => path.join('.'))).toEqual([
    'note.first.id',
    'note.parts.0',
    'note.parts.2',
  ]);
});

test('such parts have no key in a supergraph', async () => {
  const parts = { fields: (app: Parameters<typeof subgraphFields>[0]) => [subgraphFields(app)] };
  const { query } = await startDescribed({ document: parted('{ type: [string, "null"] }'), parts }, () => ({
    status: 404,
    body: {},
  }));
  const { data } = await query('{ _service { sdl } }');
  expect(data._service.sdl).toMatch(/type Note @key\(fields: "id"\) \{[\s\S]*type Part \{/);
});
