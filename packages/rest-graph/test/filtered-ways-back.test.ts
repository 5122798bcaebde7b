import { expect, test } from 'vitest';
import { startDescribed } from './described-service.ts';
import { owned } from './notes.ts';

const parameter = (name: string, to: string) =>
  `{ name: ${name}, in: query, x-shown-by: [${name}], description: x, schema: { type: string, x-reference: ${to} } }, `;

/** The notes of each owner, also by a filter. Its last note that has not ended names the next owner. */
const filtered = owned
  .replace('parameters: [', `parameters: [${parameter('owner', 'Owner')}`)
  .replace(
    'made: {',
    'is_open: { type: boolean }\n        next: { type: string, x-reference: Museum }\n        made: {',
  )
  .replace(
    /x-ways-back: .*/,
    `x-ways-back:
        - { field: notes, of: [owner], by: owner, description: The notes of an owner. }
        - { field: open, of: [owner], by: owner, where: is_open, description: Those that have not ended. }
        - { field: next, of: [owner], by: owner, where: is_open, gives: next, description: The next owner. }`,
  );

/** The newest note of the owner 1 is of a person, and those after it have ended. Many notes of others follow. */
function startFiltered() {
  const rows = Array.from({ length: 500 }, (_, n) => ({
    id: `n${n}`,
    made: new Date(Date.UTC(2026, 0, 1) - n * 60_000).toISOString(),
    owner_type: n === 0 ? 'person' : 'museum',
    owner: n < 9 ? '1' : `m${n}`,
    is_open: n > 4,
    next: `x${n}`,
  }));
  return startDescribed({ document: filtered }, ({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://notes');
    if (pathname !== '/notes') return { status: 200, body: { id: pathname.split('/').at(-1), name: pathname } };
    const owner = searchParams.get('owner');
    const matching = rows.filter((row) => owner === null || row.owner === owner);
    const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))];
    return { status: 200, body: { total: matching.length, rows: matching.slice(offset, offset + limit) } };
  });
}

test.each([
  ['of another kind', '{ notes(limit: 1) { results { id } complete } }', { results: [{ id: 'n1' }], complete: true }],
  [
    'that have ended',
    '{ open(limit: 2) { results { id } complete } }',
    {
      ...{ results: [{ id: 'n5' }, { id: 'n6' }], complete: true },
    },
  ],
  ['that have ended', '{ next { name } }', { name: '/museums/x5' }],
])('a way back by a filter goes on behind rows %s: %s', async (_rows, selection, expected) => {
  const { query } = await startFiltered();
  const { data, errors, calls } = await query(`{ museum(id: "1") ${selection} }`);
  expect([Object.values(data.museum), errors]).toEqual([[expected], []]);
  expect(calls.filter((call) => call.startsWith('GET /notes?owner=1&')).length).toBe(2);
});

test('a way back with a filter whose digits are lost is an error beside the other fields', async () => {
  const size = '{ name: words, in: query, description: x, schema: { type: integer, format: int64 } }, ';
  const sized = filtered
    .replace('parameters: [', `parameters: [${size}`)
    .replace('made: {', 'words: { type: integer }\n        made: {');
  const { query } = await startDescribed({ document: sized }, ({ path }) => ({
    status: 200,
    body: { id: path.split('/').at(-1), name: 'Louvre' },
  }));
  const { data, errors } = await query('{ museum(id: "1") { name notes(words: 9007199254740993) { complete } } }');
  expect(data).toEqual({ museum: { name: 'Louvre', notes: null } });
  expect(errors).toMatchObject([{ path: ['museum', 'notes'], extensions: { code: 'BAD_USER_INPUT' } }]);
});
