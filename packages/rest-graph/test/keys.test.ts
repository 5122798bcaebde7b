import { expect, test } from 'vitest';
import { described, startDescribed } from './described-service.ts';
import { document, kind } from './notes.ts';

const json = (schema: string) =>
  `content: { application/json: { schema: { $ref: "#/components/schemas/${schema}" } } }`;
const operation = (name: string, more: string, answer: string) => `
      operationId: ${name}
      tags: [Notes]
      description: x
      ${more}
      responses: { ${answer} }`;
const rows = (schema: string) =>
  `"200": { description: x, content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/${schema}" } } } } }`;
const isbn = 'parameters: [{ name: isbn, in: path, required: true, description: x, schema: { type: string } }]';

/** Books have an ISBN beside the number of their row. Shelves have a number, and come in a list alone. */
const text = document({
  properties: '        book_isbn: { type: string, x-reference: Book }',
  paths: `
  /books:
    get:${operation('listBooks', 'parameters: []', rows('Book'))}
    post:${operation('createBook', `requestBody: { required: true, description: x, ${json('BookWrite')} }`, `"201": { description: x, ${json('Book')} }`)}
  /books/{isbn}:
    get:${operation('getBook', isbn, `"200": { description: x, ${json('Book')} }`)}
    patch:${operation('updateBook', `${isbn}\n      requestBody: { required: true, description: x, ${json('BookPatch')} }`, `"200": { description: x, ${json('Book')} }`)}
    delete:${operation('deleteBook', isbn, '"204": { description: x }')}
  /shelves:
    get:${operation('listShelves', 'parameters: []', rows('Shelf'))}`,
  schemas: `
    Book:
      type: object
      x-id: isbn
      required: [isbn]
      properties:
        id: { type: integer }
        isbn: { type: string }
        title: { type: string }
        shelf: { type: integer, x-reference: Shelf }
        copies: { type: array, items: { $ref: "#/components/schemas/Copy" } }
    Copy: { type: object, x-id: code, example: { code: c1 }, required: [code], properties: { code: { type: string } } }
    BookWrite: { type: object, example: { isbn: "978", title: Typee }, properties: { isbn: { type: string }, title: { type: string }, shelf: { type: integer, x-reference: Shelf } } }
    BookPatch: { type: object, example: { title: Typee }, properties: { title: { type: string } } }
    Shelf: { type: object, x-id: number, required: [number], properties: { number: { type: integer }, room: { type: string } } }`,
});

async function startBooks() {
  const books = ['Walden', 'Typee', 'Omoo'].map((title, n) => ({
    ...{ id: n + 1, isbn: `978-${n}`, title, shelf: 10 + n, copies: [{ code: `c${n}` }] },
  }));
  const shelves = books.map(({ shelf }) => ({ number: shelf, room: `Room ${shelf}` }));
  const notes = books.map(({ isbn }, n) => ({ id: `n${n}`, text: 'Note', book_isbn: isbn }));
  return startDescribed({ document: text }, ({ method, path, body }) => {
    const [, list, key] = new URL(path, 'http://books').pathname.split('/');
    if (list === 'shelves') return { status: 200, body: shelves };
    if (list === 'notes') return { status: 200, body: { total: notes.length, rows: notes } };
    if (method === 'POST') {
      books.push({ ...(body as (typeof books)[number]), id: books.length + 1, copies: [] });
      return { status: 201, body: books.at(-1) };
    }
    if (key === undefined) return { status: 200, body: books };
    const at = books.findIndex((book) => book.isbn === key);
    if (at < 0) return { status: 404, body: {} };
    if (method === 'DELETE') books.splice(at, 1);
    if (method === 'DELETE') return { status: 204, body: undefined };
    return { status: 200, body: Object.assign(books[at] as object, body) };
  });
}

test('the key of an object is its id: by id, in lists, in references and in what a row embeds', async () => {
  const { query } = await startBooks();
  const all = `id title copies { id } shelf_id shelf { id room }`;
  const typee = {
    ...{ id: '978-1', title: 'Typee', copies: [{ id: 'c1' }] },
    ...{ shelf_id: '11', shelf: { id: '11', room: 'Room 11' } },
  };
  const { data, errors } = await query(`{
    book(id: "978-1") { ${all} }
    books(first: 2) { count next results { ${all} } }
    notes { results { book_id book { ${all} } } }
  }`);
  expect(errors).toEqual([]);
  expect(data.book).toEqual(typee);
  expect([data.books.count, data.books.results[1]]).toEqual([3, typee]);
  expect(data.notes.results[1]).toEqual({ book_id: '978-1', book: typee });
  const next = await query(`{ books(first: 2, after: "${data.books.next}") { results { id } } }`);
  expect([next.data.books.results, next.errors]).toEqual([[{ id: '978-2' }], []]);
  // No object is found by the number of its row.
  expect((await query('{ book(id: "2") { id } }')).errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
});

test('writes send the key by its own name, and answer it as the id', async () => {
  const { query, rest } = await startBooks();
  const input = { isbn: '978-9', title: 'Mardi', shelf: '12' };
  const made = await query(
    'mutation ($input: CreateBookInput!) { createBook(input: $input) { id title shelf { room } } }',
    { input },
  );
  expect([made.data.createBook, made.errors]).toEqual([
    { id: '978-9', title: 'Mardi', shelf: { room: 'Room 12' } },
    [],
  ]);
  expect(rest.requests[0]?.body).toEqual({ isbn: '978-9', title: 'Mardi', shelf: 12 });
  const changed = await query('mutation { updateBook(id: "978-9", input: { title: "Redburn" }) { id title } }');
  expect(changed.data.updateBook).toEqual({ id: '978-9', title: 'Redburn' });
  expect(changed.calls).toEqual(['PATCH /books/978-9']);
  const gone = await query('mutation { deleteBook(id: "978-9") }');
  expect([gone.data.deleteBook, gone.calls]).toEqual(['978-9', ['DELETE /books/978-9']]);
  expect((await query('{ books { count } }')).data.books.count).toBe(3);
});

test.each<[habit: string, document: string, mistake: string]>([
  [
    'that no object has',
    text.replace('x-id: code', 'x-id: barcode'),
    'components.schemas.Copy.x-id: no property barcode, or a body has the schema too; give it one of its own',
  ],
  [
    'of what a body has too',
    text.replace(
      'BookPatch: { type: object, example: { title: Typee }, properties: {',
      'BookPatch: { type: object, example: { title: Typee }, properties: { copies: { type: array, items: { $ref: "#/components/schemas/Copy" } },',
    ),
    'components.schemas.Copy.x-id: no property code, or a body has the schema too; give it one of its own',
  ],
  [
    'of two names in one union',
    document({
      properties: '        owner: { type: string, x-reference: Owner }',
      paths: kind('Museum', 'museums') + kind('Collector', 'collectors'),
      schemas: `
    Owner: { oneOf: [{ $ref: "#/components/schemas/Collector" }, { $ref: "#/components/schemas/Museum" }], x-unknown: UnknownOwner }
    Museum: { type: object, x-id: code, required: [code], properties: { code: { type: string } } }
    Collector: { type: object, required: [id], properties: { id: { type: string } } }`,
    }),
    'components.schemas.Owner.oneOf: the ids of its kinds have different names (x-id); leave it out',
  ],
])('the generator refuses a key %s', (_habit, wrong, mistake) => {
  expect(() => described(wrong)).toThrow(new Error(`The contract has mistakes:\n${mistake}`));
});
