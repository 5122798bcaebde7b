import { expect, test } from 'vitest';
import { described, startDescribed } from './described-service.ts';
import { document, kind, pageOf } from './notes.ts';

const roles = ['painter', 'director', 'speaker'];
const rows = Array.from({ length: 30 }, (_, n) => ({
  id: `n${n}`,
  authors: [1 + (n % 5)],
  credits: n % 3 === 2 ? [] : [n, n + 1].map((each) => ({ role: roles[each % 3], author_id: 1 + (each % 5) })),
}));

/** Notes with filters by properties of the objects that each of them lists. */
const text = document({
  parameter: `{ name: role, in: query, x-shown-by: [credits.role], schema: { type: string, enum: [painter, director, speaker] } },
        { name: author, in: query, x-shown-by: [credits.author_id], schema: { type: integer, x-reference: Author } },
        { name: author_name, in: query, x-shown-by: [authors.name], schema: { type: string } }, `,
  properties: `        credits: { type: array, items: { $ref: "#/components/schemas/Credit" } }
        authors: { type: array, items: { type: integer, x-reference: Author } }`,
  paths: kind('Author', 'authors'),
  schemas: `    Credit: { type: object, properties: { role: { type: string }, author_id: { type: integer, x-reference: Author } } }
    Author: { type: object, required: [id], properties: { id: { type: string }, name: { type: string } } }`,
});

function startCredits({ appliesFilters = true } = {}) {
  return startDescribed({ document: text }, ({ path }) => {
    const { searchParams } = new URL(path, 'http://notes');
    const [role, author, name] = ['role', 'author', 'author_name'].map((each) => searchParams.get(each));
    const matching = rows.filter(
      ({ authors, credits }) =>
        (name === null || authors.some((id) => `A${id}` === name)) &&
        (role === null || credits.some((each) => each.role === role)) &&
        (author === null || credits.some((each) => each.author_id === Number(author))),
    );
    return { status: 200, body: pageOf(appliesFilters ? matching : rows, path) };
  });
}

test.each([
  ['role: "painter"', ({ role }: { role?: string }) => role === 'painter'],
  ['author: "2"', ({ author_id }: { author_id: number }) => author_id === 2],
])('objects in a list show that a row matches the filter %s', async (filter, isMatch) => {
  const { query } = await startCredits();
  const { data, errors } = await query(`{ notes(${filter}, limit: 3) { count results { id } } }`);
  const matching = rows.filter(({ credits }) => credits.some(isMatch)).map(({ id }) => ({ id }));
  expect([data.notes, errors]).toEqual([{ count: matching.length, results: matching.slice(0, 3) }, []]);
});

test('objects of which rows show the ids alone do not show it', async () => {
  const { query } = await startCredits();
  const { data, errors } = await query('{ notes(author_name: "A2", limit: 1) { count results { id } } }');
  expect([data.notes, errors]).toEqual([{ count: 6, results: [{ id: 'n1' }] }, []]);
});

test.each(['role: "painter"', 'author: "2"'])('a service that ignores the filter %s is found out', async (filter) => {
  const { query } = await startCredits({ appliesFilters: false });
  const { errors } = await query(`{ notes(${filter}, limit: 9) { count } }`);
  expect(errors).toMatchObject([{ message: expect.stringContaining('does not apply this filter') }]);
});

test('a property that no object of the list has is a mistake', () => {
  const mistake = 'paths./notes.get.parameters.role.x-shown-by: Note has no property credits.rol';
  expect(() => described(text.replace('credits.role]', 'credits.rol]'))).toThrow(mistake);
});
