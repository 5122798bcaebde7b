import { expect, onTestFinished, test, vi } from 'vitest';
import { startDescribed } from './described-service.ts';
import { document } from './notes.ts';

/** Notes, the newest first, or in the order that a parameter names. */
const notes = document({
  parameter:
    '{ name: sort, in: query, x-reorders: true, description: x, schema: { type: string } }, { name: kind, in: query, x-shown-by: [kind], description: x, schema: { type: string } }, { name: size_max, in: query, x-shown-by: [size], x-compares: before, description: x, schema: { type: integer } }, ',
  properties:
    '        made: { type: string, format: date-time }\n        kind: { type: string }\n        size: { type: integer }',
}).replace('x-proves-key: true', 'x-proves-key: true\n      x-newest-first: made');

const rows = Array.from({ length: 23 }, (_, n) => ({
  id: `n${n}`,
  text: `Text ${(n * 7) % 23}`,
  kind: n % 2 === 0 ? 'even' : 'odd',
  size: n % 10,
  made: new Date(Date.UTC(2026, 0, 30 - n)).toISOString(),
}));
const byText = rows.toSorted((a, b) => a.text.localeCompare(b.text));

const start = () =>
  startDescribed({ document: notes }, ({ path }) => {
    const { searchParams } = new URL(path, 'http://notes');
    const [sort, kind] = [searchParams.get('sort'), searchParams.get('kind')];
    if (sort !== null && sort !== 'text') return { status: 400, body: { sort: ['Unknown order.'] } };
    const most = Number(searchParams.get('size_max') ?? 10);
    const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))];
    const found = (sort === 'text' ? byText : rows).filter((row) => (!kind || row.kind === kind) && row.size <= most);
    return { status: 200, body: { total: found.length, rows: found.slice(offset, offset + limit) } };
  });

test('a parameter that orders the rows is sent as it is, and pages follow its order', async () => {
  const { query } = await start();
  const { data, errors, calls } = await query('{ notes(sort: "text", limit: 5) { count results { text } } }');
  expect([data, errors]).toEqual([
    { notes: { count: 23, results: byText.slice(0, 5).map(({ text }) => ({ text })) } },
    [],
  ]);
  expect(calls).toEqual(['GET /notes?sort=text&limit=5&offset=0']);

  for (const [document, by] of [
    ['query($at: String) { notes(sort: "text", first: 4, after: $at) { at: next results { id } } }', 'after'],
    ['query($at: String) { notes(sort: "text", last: 4, before: $at) { at: previous results { id } } }', 'before'],
  ] as const) {
    const found: { id: string }[][] = [];
    for (let at: string | null | undefined; at !== null; ) {
      const { data, errors } = await query(document, { at });
      expect(errors).toEqual([]);
      found.push(data.notes.results);
      at = data.notes.at;
    }
    const inOrder = by === 'after' ? found : found.reverse();
    expect(inOrder.flat().map(({ id }) => id)).toEqual(byText.map(({ id }) => id));
  }
});

test('an order stands beside a filter, and the service refuses an order that it lacks', async () => {
  const { query } = await start();
  const { data } = await query('{ notes(sort: "text", kind: "odd", limit: 50) { results { id } } }');
  const odd = byText.filter(({ kind }) => kind === 'odd');
  expect(data.notes.results).toEqual(odd.map(({ id }) => ({ id })));

  const { errors } = await query('{ notes(sort: "size") { count } }');
  expect(errors).toMatchObject([
    { extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['sort'], message: 'Unknown order.' }] } },
  ]);
});

test('a filter may take numbers up to a value', async () => {
  const { query } = await start();
  const { data, errors } = await query('{ notes(size_max: 2) { count results { size } } }');
  expect([data.notes.count, errors]).toEqual([9, []]);
  expect(data.notes.results).toEqual(rows.filter(({ size }) => size <= 2).map(({ size }) => ({ size })));
});

test('pages go on in a gateway of another zone, where rows show their time without one', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  const hourly = rows.map(({ id }, n) => ({ id, made: new Date(Date.UTC(2026, 2, 9, -n)).toISOString().slice(0, 19) }));
  const { query } = await startDescribed({ document: notes }, ({ path }) => {
    const { searchParams } = new URL(path, 'http://notes');
    const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))];
    return { status: 200, body: { total: hourly.length, rows: hourly.slice(offset, offset + limit) } };
  });
  const document = 'query ($at: String) { notes(first: 5, after: $at) { next results { id } } }';
  vi.stubEnv('TZ', 'UTC');
  const first = await query(document);
  hourly.unshift({ id: 'new', made: '2026-03-09T01:00:00' });
  vi.stubEnv('TZ', 'Asia/Jakarta');
  const second = await query(document, { at: first.data.notes.next });
  expect(second.errors).toEqual([]);
  expect(second.data.notes.results.map(({ id }: { id: string }) => id)).toEqual(['n5', 'n6', 'n7', 'n8', 'n9']);
});
