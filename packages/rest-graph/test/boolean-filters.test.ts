import { expect, test } from 'vitest';
import { startDescribed } from './described-service.ts';
import { document } from './notes.ts';

const parameter = (name: string, shownBy: string) =>
  `{ name: ${name}, in: query, ${shownBy}description: x, schema: { type: boolean } }, `;

const booleans = document({
  parameter:
    parameter('is_read', 'x-shown-by: [is_read], ') +
    parameter('has_words', 'x-shown-by: [words], ') +
    parameter('is_old', ''),
  properties: '        is_read: { type: boolean }\n        words: { type: integer }',
  wire: '  wholeBody: [detail]\n  dialects: { plain: { times: iso } }',
});

const notes = Array.from({ length: 6 }, (_, n) => ({ id: `n${n}`, is_read: n < 4, words: n % 2, isOld: n === 5 }));

function startNotes({ ignores = false } = {}) {
  return startDescribed({ document: booleans }, ({ path }) => {
    const { searchParams } = new URL(path, 'http://notes');
    const [isRead, hasWords, isOld] = ['is_read', 'has_words', 'is_old'].map((name) => searchParams.get(name));
    const rows = notes.filter(
      (note) =>
        ignores ||
        ((isRead == null || String(note.is_read) === isRead) &&
          (hasWords !== 'true' || note.words > 0) &&
          (isOld == null || String(note.isOld) === isOld)),
    );
    const limit = Number(searchParams.get('limit'));
    const shown = rows.slice(0, limit).map(({ id, is_read, words }) => ({ id, is_read, words }));
    return { status: 200, body: { total: rows.length, rows: shown } };
  });
}

test.each([
  ['is_read: false', ['n4', 'n5']],
  ['is_read: true', ['n0', 'n1', 'n2', 'n3']],
  ['is_old: false', ['n0', 'n1', 'n2', 'n3', 'n4']],
  ['has_words: true', ['n1', 'n3', 'n5']],
  ['has_words: false', ['n0', 'n1', 'n2', 'n3', 'n4', 'n5']],
])('%s filters the rows as the service does', async (filter, ids) => {
  const { query } = await startNotes();
  const { data, errors } = await query(`{ notes(${filter}) { count results { id } } }`);
  expect([data, errors]).toEqual([{ notes: { count: ids.length, results: ids.map((id) => ({ id })) } }, []]);
});

test.each(['true', 'false'])('a service that ignores is_read: %s is found out', async (value) => {
  const { query } = await startNotes({ ignores: true });
  const { data, errors } = await query(`{ notes(is_read: ${value}, limit: 2) { count } }`);
  expect([data, errors]).toMatchObject([{ notes: null }, [{ extensions: { code: 'BAD_USER_INPUT' } }]]);
});
