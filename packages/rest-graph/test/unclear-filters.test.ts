import { expect, test } from 'vitest';
import { startDescribed } from './described-service.ts';
import { document, pageOf } from './notes.ts';

interface Unclear {
  filter: string;
  schema: string;
  keys?: string;
  value: string | number | boolean;
  properties: Readonly<Record<string, string>>;
  row(n: number): Record<string, unknown>;
  /** The service gives the row. */
  matches(row: Record<string, unknown>, value: string): boolean;
}

const day = (n: number) => `2026-01-${String(30 - n).padStart(2, '0')}`;
const dateTime = '{ type: string, format: date-time }';
const timed = { properties: { made: dateTime }, row: (n: number) => ({ made: `${day(n)}T10:00:00.123456789Z` }) };
const localTime = { properties: { made: dateTime }, row: (n: number) => ({ made: `${day(n)}T10:00:00` }) };
const secondsOf = (text: unknown) => (Date.parse(String(text)) || Number(text)) / 1000;
const uuid = '0b9f0a5e-1c2d-4e3f-8a9b-abcdefabcdef';
const open = (n: number) => (n % 3 === 0 ? 'open' : 'done');

/** Names and rows do not show all of these filters. */
const filters: Record<string, Unclear> = {
  'an upper bound of times without a word for it': {
    ...{ ...timed, filter: 'end_date', schema: '{ type: string, format: date }', value: '2026-01-20' },
    matches: ({ made }, value) => String(made).slice(0, 10) <= value,
  },
  'an upper bound of times beyond all rows': {
    ...{ ...timed, filter: 'end_date', schema: '{ type: string, format: date }', value: '2026-02-20' },
    matches: ({ made }, value) => String(made).slice(0, 10) <= value,
  },
  'a lower bound with the word of an upper one': {
    ...{ ...timed, filter: 'not_before', schema: dateTime, value: '2026-01-20T10:00:00Z' },
    matches: ({ made }, value) => String(made) >= value,
  },
  'a bound in milliseconds': {
    ...{ ...timed, filter: 'updatedSince', schema: '{ type: integer, format: int64 }', value: 1_768_900_000_000 },
    matches: ({ made }, value) => secondsOf(made) * 1000 >= Number(value),
  },
  'a text of milliseconds': {
    ...{ ...timed, filter: 'made_after', schema: '{ type: string }', value: '1768900000000' },
    matches: ({ made }, value) => secondsOf(made) >= secondsOf(value),
  },
  'a day that counts to its end': {
    ...{ ...timed, filter: 'made_until', schema: '{ type: string }', value: '2026-01-20' },
    matches: ({ made }, value) => String(made).slice(0, 10) <= value.slice(0, 10),
  },
  'a word for a time': {
    ...{ ...timed, filter: 'made_before', schema: '{ type: string }', value: 'today' },
    matches: ({ made }, value) => String(made) <= (value === 'today' ? day(9) : value),
  },
  'times in the zone of the service': {
    ...{ ...localTime, filter: 'made__lte', schema: dateTime, value: '2026-01-20T10:00:00+02:00' },
    matches: ({ made }, value) => secondsOf(`${made}+02:00`) <= secondsOf(value),
  },
  'times of a service that knows no zone': {
    ...{ ...localTime, filter: 'made__lte', schema: dateTime, value: '2026-01-20T10:00:00' },
    matches: ({ made }, value) => !value.endsWith('Z') && String(made) <= value,
  },
  'a time that bounds days': {
    ...{ filter: 'madeAfter', schema: dateTime, value: '2026-01-20T10:00:00Z' },
    ...{ properties: { made: '{ type: string, format: date }' }, row: (n) => ({ made: day(n) }) },
    matches: ({ made }, value) => String(made) >= value.slice(0, 10),
  },
  'an upper bound of numbers without a word for it': {
    ...{ filter: 'maximum_size', schema: '{ type: integer }', value: 9 },
    ...{ properties: { size: '{ type: integer }' }, row: (n) => ({ size: n }) },
    matches: ({ size }, value) => Number(size) <= Number(value),
  },
  'a bound that is a property itself': {
    ...{ filter: 'max_size', schema: '{ type: integer }', value: 9 },
    properties: { size: '{ type: integer }', max_size: '{ type: integer }' },
    row: (n) => ({ size: 100, max_size: n }),
    matches: (row, value) => row.max_size === Number(value),
  },
  'a number with a unit': {
    ...{ filter: 'max_size', schema: '{ type: string }', value: '9KB' },
    ...{ properties: { size: '{ type: integer }' }, row: (n) => ({ size: n * 1000 }) },
    matches: ({ size }, value) => Number(size) <= Number(value.replace('KB', '000')),
  },
  'a number nearby': {
    ...{ filter: 'latitude', schema: '{ type: [number, "null"] }', value: 10.4 },
    ...{ properties: { latitude: '{ type: number }' }, row: (n) => ({ latitude: n }) },
    matches: ({ latitude }, value) => Math.abs(Number(latitude) - Number(value)) < 2,
  },
  'no value within a bound': {
    ...{ filter: 'min_size', schema: '{ type: integer }', value: 9 },
    ...{ properties: { size: '{ type: [integer, "null"] }' }, row: (n) => ({ size: n % 5 === 1 ? n : null }) },
    matches: ({ size }, value) => value.length < 9 && (size === null || Number(size) >= Number(value)),
  },
  'no value for false': {
    ...{ filter: 'is_open', schema: '{ type: boolean }', value: false },
    properties: { is_open: '{ type: [boolean, "null"] }' },
    row: (n) => ({ is_open: n % 3 === 0 ? true : n % 3 === 1 ? false : null }),
    matches: (row, value) => String(row.is_open ?? false) === value,
  },
  'a value for all': {
    ...{ filter: 'state', schema: '{ type: string, enum: [open, done, all] }', value: 'all' },
    ...{ properties: { state: '{ type: string }' }, row: (n) => ({ state: open(n) }) },
    matches: ({ state }, value) => value === 'all' || state === value,
  },
  'values that rows spell in another way': {
    ...{ filter: 'state', schema: '{ type: string, enum: [open, done] }', value: 'open' },
    ...{
      properties: { state: '{ type: string, enum: [OPEN, DONE] }' },
      row: (n) => ({ state: open(n).toUpperCase() }),
    },
    matches: ({ state }, value) => String(state).toLowerCase() === value,
  },
  'values of a property of another name': {
    ...{ filter: 'state', schema: '{ type: string, enum: [open, done] }', value: 'open' },
    ...{ properties: { status: '{ type: string, enum: [open, done] }' }, row: (n) => ({ status: open(n) }) },
    keys: 'x-shown-by: [], ',
    matches: ({ status }, value) => status === value,
  },
  'booleans that rows have as bits': {
    ...{ filter: 'is_open', schema: '{ type: boolean }', value: true },
    ...{ properties: { is_open: '{ type: boolean }' }, row: (n) => ({ is_open: n % 2 }) },
    matches: (row, value) => String(row.is_open === 1) === value,
  },
  'an id in capital letters': {
    ...{ filter: 'original', schema: '{ type: string, format: uuid, x-reference: Note }', value: uuid.toUpperCase() },
    properties: { original: '{ type: string, format: uuid, x-reference: Note }' },
    row: (n) => ({ original: n % 2 ? uuid : uuid.replace('0b', '1b') }),
    matches: ({ original }, value) => original === value.toLowerCase(),
  },
  'an id whose object rows name': {
    ...{ filter: 'original', schema: '{ type: string, x-reference: Note }', value: 'n3' },
    ...{ properties: { original: '{ type: string }' }, row: (n) => ({ original: `Note ${n % 5}` }) },
    matches: ({ original }, value) => original === value.replace('n', 'Note '),
  },
  'rows to leave out': {
    ...{ filter: 'exclude', schema: '{ type: string }', value: 'open' },
    ...{ properties: { state: '{ type: string }' }, row: (n) => ({ state: open(n) }) },
    matches: ({ state }, value) => state !== value,
  },
};

test.each(Object.entries(filters))(
  'a filter by %s gives its rows, unless the service ignores it',
  async (_what, given) => {
    const { filter, schema, keys = '', value, properties, row, matches } = given;
    const notes = Array.from({ length: 30 }, (_, n) => ({ id: `n${n}`, ...row(n) }));
    const text = document({
      parameter: `{ name: ${filter}, in: query, description: x, ${keys}schema: ${schema} }, `,
      properties: Object.entries(properties)
        .map(([name, of]) => `        ${name}: ${of}`)
        .join('\n'),
    });
    const asked = `{ notes(${filter}: ${JSON.stringify(value)}, limit: 30) { count results { id } } }`;
    const found = notes.filter((note) => matches(note, String(value)));
    const { query } = await startDescribed({ document: text }, ({ path }) => {
      const sent = new URL(path, 'http://notes').searchParams.get(filter);
      return { status: 200, body: pageOf(sent === null ? notes : notes.filter((note) => matches(note, sent)), path) };
    });
    const { data, errors } = await query(asked);
    expect([errors, data.notes?.results]).toEqual([[], found.map(({ id }) => ({ id }))]);

    const ignoring = await startDescribed({ document: text }, ({ path }) => ({
      status: 200,
      body: pageOf(notes, path),
    }));
    const answer = await ignoring.query(asked);
    expect(answer.errors).toMatchObject([{ message: expect.stringContaining('does not apply this filter') }]);
  },
);

const states = Array.from({ length: 30 }, (_, n) => ({ id: `n${n}`, state: open(n) }));

/** Notes without those of a state. No property shows that. */
function startStates(isBusy = () => false) {
  const parameter = '{ name: exclude, in: query, description: x, schema: { type: string } }, ';
  const properties = '        state: { type: string }';
  return startDescribed({ document: document({ parameter, properties }) }, ({ path }) => {
    const excluded = new URL(path, 'http://notes').searchParams.get('exclude');
    if (excluded === null && isBusy()) return { status: 429, body: {} };
    const left = states.filter(({ state }) => state !== excluded);
    return { status: 200, body: pageOf(left, path) };
  });
}

test('a value that leaves out no row is refused, and other values of its filter are not', async () => {
  const { query } = await startStates();
  const nothing = await query('{ notes(exclude: "lost", limit: 30) { count } }');
  const { data, errors } = await query('{ notes(exclude: "open", limit: 30) { count } }');
  expect(nothing.errors).toMatchObject([{ message: expect.stringContaining('does not apply this filter') }]);
  expect([errors, data.notes]).toEqual([[], { count: 20 }]);
});

test('a filter that a busy service does not let the gateway check is not refused for good', async () => {
  let isBusy = true;
  const { query } = await startStates(() => isBusy);
  const busy = await query('{ notes(exclude: "open", limit: 30) { count } }');
  isBusy = false;
  const { data, errors } = await query('{ notes(exclude: "open", limit: 30) { count } }');
  expect(busy.errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }]);
  expect([errors, data.notes]).toEqual([[], { count: 20 }]);
});

test('a filter that leaves out no row of another filter gives its rows', async () => {
  const parameter = ['state', 'exclude'].map(
    (name) => `{ name: ${name}, in: query, description: x, schema: { type: string } }, `,
  );
  const { query } = await startDescribed({ document: document({ parameter: parameter.join('') }) }, ({ path }) => {
    const { searchParams } = new URL(path, 'http://notes');
    const [state, excluded] = ['state', 'exclude'].map((name) => searchParams.get(name));
    const found = states.filter((note) => note.state === (state ?? note.state) && note.state !== excluded);
    return { status: 200, body: pageOf(found, path) };
  });
  const { data, errors } = await query('{ notes(state: "open", exclude: "done", limit: 3) { count } }');
  expect([errors, data.notes]).toEqual([[], { count: 10 }]);
});

interface Pair {
  filters: Readonly<Record<string, string | number>>;
  schema: string;
  properties?: string;
  matches(n: number, first: string, second: string): boolean;
}

const note = '{ type: string, x-reference: Note }';
const pairs: Record<string, Pair> = {
  'a place nearby': {
    ...{ filters: { latitude: 7.5, longitude: 8 }, schema: '{ type: number }' },
    matches: (n, ...place) => place.every((degrees) => Math.abs(n - Number(degrees)) < 2),
  },
  'ids that rows do not show': {
    ...{ filters: { warehouse: 'n1', shelf: 'n2' }, schema: note },
    matches: (n, ...place) => `n${n % 2} n${n % 5}` === place.join(' '),
  },
  'two bounds of a time': {
    ...{ filters: { made_from: day(7), made_to: day(5) }, schema: '{ type: string, format: date }' },
    properties: '        made: { type: string, format: date }',
    matches: (n, from, to) => day(n) >= from && day(n) <= to,
  },
};

test.each(Object.entries(pairs))(
  'filters by %s that work together alone give their rows, and are refused alone',
  async (_what, { filters, schema, properties, matches }) => {
    const names = Object.keys(filters);
    const parameter = names.map((name) => `{ name: ${name}, in: query, description: x, schema: ${schema} }, `).join('');
    const notes = Array.from({ length: 30 }, (_, n) => ({ id: `n${n}`, made: day(n), n }));
    const { query } = await startDescribed({ document: document({ parameter, properties }) }, ({ path }) => {
      const given = names.map((name) => new URL(path, 'http://notes').searchParams.get(name));
      const [first, second] = given;
      const isChosen = ({ n }: { n: number }) => !first || !second || matches(n, first, second);
      return { status: 200, body: pageOf(notes.filter(isChosen), path) };
    });
    const asked = Object.entries(filters).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
    for (const _ of [1, 2]) {
      const { data, errors } = await query(`{ notes(${asked.join(', ')}, limit: 2) { count } }`);
      const alone = await query(`{ notes(${asked[0]}, limit: 2) { count } }`);
      expect([errors, data.notes]).toEqual([[], { count: 3 }]);
      expect(alone.errors).toMatchObject([{ message: expect.stringContaining('does not apply this filter') }]);
    }
  },
);

test('a filter that the service ignores is refused also where another one works beside it alone', async () => {
  const schemas = { latitude: 'number', unit: 'string' };
  const parameter = Object.entries(schemas).map(
    ([name, type]) => `{ name: ${name}, in: query, description: x, schema: { type: ${type} } }, `,
  );
  const { query } = await startDescribed({ document: document({ parameter: parameter.join('') }) }, ({ path }) => {
    const { searchParams } = new URL(path, 'http://notes');
    const latitude = searchParams.has('unit') ? searchParams.get('latitude') : null;
    const near = states.filter((_note, n) => latitude === null || Math.abs(n - Number(latitude)) < 2);
    return { status: 200, body: pageOf(near, path) };
  });
  const { errors } = await query('{ notes(latitude: 7.5, unit: "km", limit: 3) { count } }');
  expect(errors).toMatchObject([
    { message: expect.stringContaining('`unit`: The service does not apply this filter') },
  ]);
});

test('a filter that the service ignores is refused also while rows go', async () => {
  const parameter = '{ name: exclude, in: query, description: x, schema: { type: string } }, ';
  const left = states.slice();
  const { query } = await startDescribed({ document: document({ parameter }) }, ({ path }) => {
    left.pop();
    return { status: 200, body: pageOf(left, path) };
  });
  const { errors } = await query('{ notes(exclude: "open", limit: 3) { results { id } } }');
  expect(errors).toMatchObject([{ message: expect.stringContaining('does not apply this filter') }]);
});

test('a filter that the service ignores is refused beside another one also while rows come', async () => {
  const parameter = ['state, x-shown-by: [state]', 'unit'].map(
    (name) => `{ name: ${name}, in: query, description: x, schema: { type: string } }, `,
  );
  const described = { parameter: parameter.join(''), properties: '        state: { type: string }' };
  const come = states.slice();
  const { query } = await startDescribed({ document: document(described) }, ({ path }) => {
    come.unshift({ id: `n${come.length}`, state: 'open' });
    const state = new URL(path, 'http://notes').searchParams.get('state');
    return { status: 200, body: pageOf(state === null ? come : come.filter((note) => note.state === state), path) };
  });
  const { errors } = await query('{ notes(state: "open", unit: "km", limit: 3) { results { id } } }');
  expect(errors).toMatchObject([
    { message: expect.stringContaining('`unit`: The service does not apply this filter') },
  ]);
});

test('a filter by one of several values gives its rows where the service applies it beside another one alone', async () => {
  const notes = Array.from({ length: 30 }, (_, n) => ({ id: `n${n}`, tags: n % 2 ? ['new'] : ['food', 'new'] }));
  const tag =
    '{ name: tag, in: query, description: x, x-shown-by: [tags], schema: { type: string, enum: [food, new] } }';
  const shelf = '{ name: shelf, in: query, description: x, schema: { type: string } }';
  const { query } = await startDescribed({ document: document({ parameter: `${tag}, ${shelf}, ` }) }, ({ path }) => {
    const { searchParams } = new URL(path, 'http://notes');
    const [asked, place] = [searchParams.get('tag'), searchParams.get('shelf')];
    const isChosen = ({ tags }: { tags: string[] }, n: number) => tags.includes(`${asked}`) && place === `s${n % 3}`;
    return { status: 200, body: pageOf(asked && place ? notes.filter(isChosen) : notes, path) };
  });
  const { data, errors } = await query('{ notes(tag: "food", shelf: "s0", limit: 3) { count } }');
  expect([errors, data.notes]).toEqual([[], { count: 5 }]);
});

test.each([0, 1])('a filter gives the rows that have its value in a list: %i', async (first) => {
  const tags = (n: number) => (n % 2 === first ? ['food', 'new'] : ['new']);
  const notes = Array.from({ length: 30 }, (_, n) => ({ id: `n${n}`, tags: tags(n) }));
  const keys = 'x-shown-by: [tags], schema: { type: string, enum: [food, new] }';
  const parameter = `{ name: tag, in: query, description: x, ${keys} }, `;
  const { query } = await startDescribed({ document: document({ parameter }) }, ({ path }) => {
    const tag = new URL(path, 'http://notes').searchParams.get('tag') ?? 'new';
    const found = notes.filter(({ tags }) => tags.includes(tag));
    return { status: 200, body: pageOf(found, path) };
  });
  const { data, errors } = await query('{ notes(tag: "food", limit: 3) { count } }');
  expect([errors, data.notes]).toEqual([[], { count: 15 }]);
});
