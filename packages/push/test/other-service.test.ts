import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startDescribed } from '../../rest-graph/test/described-service.ts';
import { document, kind } from '../../rest-graph/test/notes.ts';
import pushContract from '../codegen.ts';
import { push } from '../push.ts';
import { pushDocument } from './push.ts';

const ref = (name: string) => `{ $ref: "#/components/schemas/${name}" }`;
const post = (path: string, name: string, body: string, answer: string) => `
  /${path}:
    post:
      operationId: ${name}
      tags: [Notes]
      description: x
      requestBody: { required: true, description: x, content: { application/json: { schema: ${ref(body)} } } }
      responses: { "201": { description: x, content: { application/json: { schema: ${ref(answer)} } } } }`;

/** Notes, and loans of books. A book has one open loan. A PUT answers nothing. */
const text = document({
  paths:
    kind('Book', 'books') +
    kind('Loan', 'loans') +
    post('loans', 'createLoan', 'LoanWrite', 'Loan') +
    post('new', 'createNote', 'NotePatch', 'Note'),
  schemas: `
    Loan: { type: object, required: [id], properties: { id: { type: string }, book: { type: string, x-reference: { to: Book, mayBeEmbedded: true } }, reader: { type: string, x-reference: Note }, is_open: { type: boolean } } }
    Book: { type: object, required: [id], properties: { id: { type: string }, number: { type: string } } }
    BookWrite: { type: object, required: [number], properties: { number: { type: string } }, example: { number: "1" } }
    LoanWrite: { type: object, required: [book, reader], properties: { book: ${ref('BookWrite')}, reader: { type: string, x-reference: Note } }, example: { book: { number: "1" }, reader: n1 } }`,
  wire: '  wholeBody: [detail]\n  dialects: { plain: { times: iso } }',
});

interface Stored {
  id: string;
  book?: { number: string };
  is_open?: boolean;
}

test('a push shows objects as its later writes leave them, where a PUT answers nothing and a loan ends another', async () => {
  const stored = new Map<string, Stored>();
  const { query } = await startDescribed(
    { document: text, parts: { keys: [pushContract], fields: () => [push] } },
    ({ method, path, body }) => {
      const [, list = '', id = ''] = path.split('?')[0]?.split('/') ?? [];
      if (method === 'POST') {
        const { book } = body as Stored;
        for (const each of stored.values()) if (book && each.book?.number === book.number) each.is_open = false;
        const object = {
          id: `${list}${stored.size}`,
          ...(body as object),
          ...(book && { book: { id: 'b', ...book }, is_open: true }),
        };
        stored.set(object.id, object);
        return { status: 201, body: structuredClone(object) };
      }
      const object = stored.get(id);
      if (method === 'PUT') Object.assign(object as Stored, body);
      return method === 'PUT'
        ? { status: 204, body: undefined }
        : { status: 200, body: object ?? { total: 0, rows: [] } };
    },
  );
  const key = randomUUID();
  const lend = { createLoan: { book: { number: '7' }, reader: '$n' } };
  const writes = [
    { key: `${key}-1`, ref: 'n', write: { createNote: { text: 'Milk' } } },
    { key: `${key}-2`, write: { writeNote: { id: '$n', input: { text: 'Tea' } } } },
    { key: `${key}-3`, write: lend },
    { key: `${key}-4`, write: lend },
  ];
  const { data, errors, calls } = await query(pushDocument('... on Note { text } ... on Loan { is_open }'), { writes });

  expect(errors).toEqual([]);
  expect(data.push.map(({ object }: { object: object }) => object)).toEqual([
    { __typename: 'Note', text: 'Tea' },
    { __typename: 'Note', text: 'Tea' },
    { __typename: 'Loan', is_open: false },
    { __typename: 'Loan', is_open: true },
  ]);
  expect(calls.filter((call) => call.startsWith('GET') && !call.includes('?')).toSorted()).toEqual([
    'GET /loans/loans1',
    'GET /notes/new0',
  ]);
});
