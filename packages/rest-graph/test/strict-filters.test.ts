import { expect, test } from 'vitest';
import { startDescribed } from './described-service.ts';
import { document, kind } from './notes.ts';

const rows = Array.from({ length: 9 }, (_, n) => ({
  id: `n${n}`,
  state: n % 2 === 0 ? 'open' : 'done',
  owner: `o${n % 3}`,
}));

/** The service refuses values of filters that it does not know: states with 422, owners with 404. */
function startNotes(shownBy: { state: string; owner: string }, { readsFilters = true } = {}) {
  const parameter = `{ name: state, in: query, description: x, ${shownBy.state}schema: { type: string } }, { name: owner, in: query, description: x, ${shownBy.owner}schema: { type: string, x-reference: Owner } }, `;
  const text = document({
    parameter,
    properties: '        state: { type: string }\n        owner: { type: string, x-reference: Owner }',
    paths: kind('Owner', 'owners'),
    schemas: '    Owner: { type: object, required: [id], properties: { id: { type: string } } }',
  });
  return startDescribed({ document: text }, ({ path }) => {
    const { searchParams } = new URL(path, 'http://notes');
    const [state, owner] = readsFilters ? [searchParams.get('state'), searchParams.get('owner')] : [];
    if (state && !['open', 'done'].includes(state)) return { status: 422, body: { state: ['Unknown state.'] } };
    if (owner && !rows.some((row) => row.owner === owner)) return { status: 404, body: { detail: 'No such owner.' } };
    const found = rows.filter((row) => (!state || row.state === state) && (!owner || row.owner === owner));
    return { status: 200, body: { total: found.length, rows: found.slice(0, Number(searchParams.get('limit'))) } };
  });
}

test.each([
  { state: 'x-shown-by: [state], ', owner: 'x-shown-by: [owner], ' },
  { state: '', owner: '' },
])('a service that refuses unknown values of a filter applies it (%j)', async (shownBy) => {
  const { query } = await startNotes(shownBy);
  for (const [filter, count] of [
    ['state: "open"', 5],
    ['owner: "o1"', 3],
    ['state: "done", owner: "o1"', 2],
  ] as const) {
    const { data, errors } = await query(`{ notes(${filter}, limit: 1) { count results { id } } }`);
    expect([errors, data.notes?.count, data.notes?.results.length]).toEqual([[], count, 1]);
  }
  const { errors } = await query('{ notes(state: "lost") { count } }');
  expect(errors).toMatchObject([{ extensions: { fields: [{ path: ['state'], message: 'Unknown state.' }] } }]);

  const ignoring = await startNotes(shownBy, { readsFilters: false });
  for (const filter of ['state: "open"', 'owner: "o1"']) {
    const { errors } = await ignoring.query(`{ notes(${filter}, limit: 1) { count } }`);
    expect(errors).toMatchObject([{ message: expect.stringContaining('does not apply this filter') }]);
  }
});
