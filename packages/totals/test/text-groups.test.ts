import { expect, test } from 'vitest';
import { startDescribed } from '../../rest-graph/test/described-service.ts';
import { document } from '../../rest-graph/test/notes.ts';
import totalsContract from '../codegen.ts';
import { totals } from '../totals.ts';

test('objects in place of a text are groups of their own, by the texts that rows show', async () => {
  const notes = document({ wire: '  wholeBody: [detail]\n  dialects: { plain: { times: iso } }' }).replace(
    'operationId: listNotes',
    'operationId: listNotes\n      x-totals: { groupBy: [text] }',
  );
  const rows = ['Milk', { de: 'Milch' }, { de: 'Tee' }, { de: 'Milch' }].map((text, at) => ({ id: `n${at}`, text }));
  const { query } = await startDescribed(
    { document: notes, parts: { keys: [totalsContract], fields: () => [totals] } },
    () => ({ status: 200, body: { total: rows.length, rows } }),
  );
  const { data, errors } = await query(
    '{ noteTotals(groupBy: [TEXT]) { groups { text count } } notes { results { text } } }',
  );
  expect([data.noteTotals.groups, errors]).toEqual([
    [
      { text: 'Milk', count: 1 },
      { text: '{"de":"Milch"}', count: 2 },
      { text: '{"de":"Tee"}', count: 1 },
    ],
    [],
  ]);
  expect(data.notes.results[1]).toEqual({ text: '{"de":"Milch"}' });
});
