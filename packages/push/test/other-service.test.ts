import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startDescribed } from '../../rest-graph/test/described-service.ts';
import { document, kind } from '../../rest-graph/test/notes.ts';
import pushContract from '../codegen.ts';
import { push } from '../push.ts';
import { pushDocument } from './push.ts';

const ref = (name: string) => `{ $ref: "#/components/schemas/${name}" }`;
const body = (name: string) =>
  `requestBody: { required: true, description: x, content: { application/json: { schema: ${ref(name)} } } }`;
const shown = (name: string) => `{ description: x, content: { application/json: { schema: ${ref(name)} } } }`;
const post = (path: string, name: string, input: string, answer: string) => `
  /${path}:
    post:
      operationId: ${name}
      tags: [Notes]
      description: x
      ${body(input)}
      responses: { "201": ${shown(answer)} }`;

/**
 * Notes about loans of books. A book has one open loan. A PUT answers nothing, and a PATCH what has changed. The next loan
 * comes without its id beside it.
 */
const text = document({
  properties: `        lines: { type: array, items: ${ref('Line')} }`,
  paths: `${kind('Book', 'books')}${kind('Loan', 'loans')}
    patch:
      operationId: updateLoan
      tags: [Notes]
      description: x
      parameters: [{ $ref: "#/components/parameters/id" }]
      ${body('LoanPatch')}
      responses: { "200": ${shown('Loan')} }${post('loans', 'createLoan', 'LoanWrite', 'Loan')}${post('new', 'createNote', 'NewNote', 'Note')}`,
  schemas: `
    Line: { type: object, properties: { loan: { type: string, x-reference: { to: Loan, mayBeEmbedded: true } } } }
    Loan: { type: object, required: [id], properties: { id: { type: string }, book: { type: string, x-reference: { to: Book, mayBeEmbedded: true } }, after: { type: string, x-reference: { to: Loan, mayBeEmbedded: true } }, place: { type: string }, until: { type: string }, is_open: { type: boolean }, next: { type: string, x-reference: { to: Loan, details: next_details } }, next_details: ${ref('Loan')} } }
    Book: { type: object, required: [id], properties: { id: { type: string }, number: { type: string }, state: { type: string } } }
    BookWrite: { type: object, required: [number], properties: { number: { type: string }, state: { type: string } }, example: { number: "1" } }
    LoanWrite: { type: object, required: [book], properties: { book: ${ref('BookWrite')}, after: { type: string, x-reference: Loan }, next: { type: string, x-reference: Loan }, place: { type: string }, until: { type: string } }, example: { book: { number: "1" } } }
    LoanPatch: { type: object, properties: { place: { type: string }, until: { type: string } }, example: { place: Accra } }
    LineWrite: { type: object, properties: { loan: { type: string, x-reference: Loan } }, example: { loan: l } }
    NewNote: { type: object, properties: { text: { type: string }, lines: { type: array, items: ${ref('LineWrite')} } }, example: { text: Milk } }`,
  wire: '  wholeBody: [detail]\n  dialects: { plain: { times: iso } }',
});

interface Stored {
  id: string;
  book?: { number: string };
  is_open?: boolean;
  after?: string;
  next?: string;
  lines?: { loan: unknown }[];
}

/** Sends a push. Shows its objects, and the GETs by id that it took. */
async function pushed(writes: readonly object[], object: string) {
  const stored = new Map<string, Omit<Stored, 'after' | 'next'>>();
  const { query } = await startDescribed(
    { document: text, parts: { keys: [pushContract], fields: () => [push] } },
    ({ method, path, body }) => {
      const [, list = '', id = ''] = path.split('?')[0]?.split('/') ?? [];
      const sent = body as Omit<Stored, 'id'>;
      if (method === 'POST') {
        const { next, ...others } = sent;
        const { book, lines, after } = others;
        for (const each of stored.values()) if (book && each.book?.number === book.number) each.is_open = false;
        const made = {
          ...others,
          id: `${list}${stored.size}`,
          ...(book && { book: { id: 'b', ...book }, is_open: true }),
          ...(after !== undefined && { after: stored.get(after) }),
          ...(next !== undefined && { next_details: stored.get(next) }),
        };
        for (const line of lines ?? []) line.loan = stored.get(String(line.loan));
        stored.set(made.id, made);
        return { status: 201, body: structuredClone(made) };
      }
      const found = stored.get(id);
      if (method === 'GET') return { status: 200, body: found ?? { total: 0, rows: [] } };
      Object.assign(found as Stored, sent);
      return method === 'PUT' ? { status: 204, body: undefined } : { status: 200, body: { id, ...sent } };
    },
  );
  const keyed = writes.map((write, n) => ({ key: `${randomUUID()}`, ref: `w${n}`, write }));
  const { data, errors, calls } = await query(pushDocument(object), { writes: keyed });
  expect(errors).toEqual([]);
  const objects = data.push.map((result: { object: { __typename?: string } }) => {
    const { __typename, ...fields } = result.object;
    return fields;
  });
  return { objects, gets: calls.filter((call) => call.startsWith('GET') && !call.includes('?')) };
}

test('a push shows a note as an update leaves it whose answer is empty', async () => {
  const writes = [{ createNote: { text: 'Milk' } }, { writeNote: { id: '$w0', input: { text: 'Tea' } } }];
  const { objects, gets } = await pushed(writes, '... on Note { text }');
  expect([objects, gets]).toEqual([[{ text: 'Tea' }, { text: 'Tea' }], ['GET /notes/new0']]);
});

test('a push shows what several updates leave of an object, also inside another object', async () => {
  const writes = [
    { createLoan: { book: { number: '7' }, place: 'Kumasi', until: 'April' } },
    { createNote: { lines: [{ loan: '$w0' }] } },
    { updateLoan: { id: '$w0', input: { place: 'Accra' } } },
    { updateLoan: { id: '$w0', input: { until: 'May' } } },
  ];
  const loan = { place: 'Accra', until: 'May' };
  const { objects } = await pushed(
    writes,
    '... on Loan { place until } ... on Note { lines { loan { place until } } }',
  );
  expect(objects).toEqual([loan, { lines: [{ loan }] }, loan, loan]);
});

test('a push shows an object at any depth as later updates leave it', async () => {
  const lend = (number: string, more: object) => ({ createLoan: { book: { number }, ...more } });
  const writes = [
    lend('7', { place: 'Kumasi' }),
    lend('8', { after: '$w0' }),
    { createNote: { lines: [{ loan: '$w1' }] } },
    { updateLoan: { id: '$w0', input: { place: 'Accra' } } },
  ];
  const { objects } = await pushed(writes, '... on Note { lines { loan { after { place } } } }');
  expect(objects[2]).toEqual({ lines: [{ loan: { after: { place: 'Accra' } } }] });
});

test('a push shows a changed object whose id the service does not send beside it', async () => {
  const lend = (number: string, more: object) => ({ createLoan: { book: { number }, ...more } });
  const writes = [
    lend('7', { place: 'Kumasi' }),
    lend('8', { next: '$w0' }),
    { updateLoan: { id: '$w0', input: { place: 'Accra' } } },
  ];
  const { objects } = await pushed(writes, '... on Loan { next_id next { place } }');
  expect(objects[1]).toEqual({ next_id: 'loans0', next: { place: 'Accra' } });
});

test('a push shows a loan inside a note as a later loan of the book leaves it', async () => {
  const lend = { createLoan: { book: { number: '7' } } };
  const writes = [lend, { createNote: { lines: [{ loan: '$w0' }] } }, lend];
  const { objects } = await pushed(writes, '... on Note { lines { loan { is_open } } }');
  expect(objects[1]).toEqual({ lines: [{ loan: { is_open: false } }] });
});

test('a push shows a loan that a later one ends, and the book of both as that leaves it', async () => {
  const lend = (state: string) => ({ createLoan: { book: { number: '7', state } } });
  const { objects, gets } = await pushed([lend('new'), lend('worn')], '... on Loan { is_open book { state } }');
  const book = { state: 'worn' };
  expect(objects).toEqual([
    { is_open: false, book },
    { is_open: true, book },
  ]);
  expect(gets).toEqual(['GET /loans/loans0']);
});
