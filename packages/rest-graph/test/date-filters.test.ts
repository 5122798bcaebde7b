import { expect, test } from 'vitest';
import { startDescribed } from './described-service.ts';
import { document, pageOf } from './notes.ts';

const rows = Array.from({ length: 30 }, (_, n) => {
  const day = `2026-01-${String(30 - n).padStart(2, '0')}`;
  return { id: `n${n}`, day, made: `${day}T23:30:00+02:00` };
});

/** Notes with filters by a date. The service refuses what is no date, and may ignore the filters. */
function startNotes(keys: string, { appliesFilters = true } = {}) {
  const names = ['on', 'since', 'until'];
  const parameter = names.map((name) => {
    return `{ name: ${name}, in: query, description: x, ${keys}schema: { type: string, format: date } }, `;
  });
  const properties = '        day: { type: string, format: date }\n        made: { type: string, format: date-time }';
  return startDescribed({ document: document({ parameter: parameter.join(''), properties }) }, ({ path }) => {
    const { searchParams } = new URL(path, 'http://notes');
    const [on, since = '', until = '9'] = names.map((name) => searchParams.get(name) ?? undefined);
    const wrong = names.find((name) => !/^(\d{4}-\d\d-\d\d)?$/.test(searchParams.get(name) ?? ''));
    if (wrong) return { status: 400, body: { [wrong]: ['No date.'] } };
    const matching = rows.filter(({ day }) => (on ?? day) === day && since <= day && day <= until);
    return { status: 200, body: pageOf(appliesFilters ? matching : rows, path) };
  });
}

test.each(['', 'x-shown-by: [day], ', 'x-shown-by: [made], '])(
  'filters by dates give the rows that match (%s)',
  async (keys) => {
    const { query } = await startNotes(keys);
    for (const [filter, count] of [
      ['on: "2026-01-20"', 1],
      ['since: "2026-01-20"', 11],
      ['until: "2026-01-20"', 20],
      ['since: "2026-01-10", until: "2026-01-20"', 11],
    ] as const) {
      const { data, errors } = await query(`{ notes(${filter}, limit: 3) { count results { day } } }`);
      expect([errors, data.notes?.count, data.notes?.results.length]).toEqual([[], count, Math.min(count, 3)]);
    }
  },
);

test.each(['', 'x-shown-by: [day], ', 'x-shown-by: [made], '])(
  'a filter by a date that the service ignores is refused (%s)',
  async (keys) => {
    const { query } = await startNotes(keys, { appliesFilters: false });
    for (const filter of ['on: "2026-01-20"', 'since: "2026-01-20"', 'until: "2026-01-20"']) {
      const { errors } = await query(`{ notes(${filter}, limit: 3) { count } }`);
      expect(errors).toMatchObject([{ message: expect.stringContaining('does not apply this filter') }]);
    }
  },
);

/** Persons of an archive, who were born before computers count. */
test.each([
  ['date', '"1915-06-01"'],
  ['date-time', '"1915-06-01T00:00:00Z"'],
])(
  'a filter by a %s of long ago counts what the service chooses, and one that it ignores is refused',
  async (format, value) => {
    const born = Array.from({ length: 30 }, (_, n) => {
      const day = `${1939 - n}-05-01`;
      return { id: `n${n}`, born: format === 'date' ? day : `${day}T00:00:00Z` };
    });
    const parameter = `{ name: born_before, in: query, description: x, schema: { type: string, format: ${format} } }, `;
    const properties = `        born: { type: string, format: ${format} }`;
    for (const appliesFilters of [true, false]) {
      const { query } = await startDescribed({ document: document({ parameter, properties }) }, ({ path }) => {
        const before = new URL(path, 'http://notes').searchParams.get('born_before') ?? '9';
        return {
          status: 200,
          body: pageOf(appliesFilters ? born.filter((note) => note.born < before) : born.toReversed(), path),
        };
      });
      const { data, errors } = await query(`{ notes(born_before: ${value}) { count } }`);
      if (appliesFilters) expect([data, errors]).toEqual([{ notes: { count: 6 } }, []]);
      else expect(errors).toMatchObject([{ message: expect.stringContaining('does not apply this filter') }]);
    }
  },
);
