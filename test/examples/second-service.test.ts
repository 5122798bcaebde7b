import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { type LibraryOptions, startGateway } from '../../examples/second-service/compose.ts';
import { type Library, startLibrary } from '../../examples/second-service/service.ts';
import { type Client, clientOf, codesOf, type RequestOptions } from '../support/client.ts';
import { flatCosts } from '../support/cost-profiles.ts';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

/** The library and its gateway, both in this process and on free ports. */
async function start({
  limits,
}: LibraryOptions['settings'] = {}): Promise<{ service: Library; client: Client; query: typeof query }> {
  const service = await startLibrary();
  opened.push(service);
  const gateway = await startGateway({
    url: service.url,
    logLevel: 'silent',
    settings: { server: { port: 0 }, limits, idempotency: { timeoutMs: 30_000 } },
    options: { upstream: { cache: { lists: { ttlMs: 0 } } } },
    costs: flatCosts,
  });
  opened.push(gateway);
  const client = clientOf(gateway.url);
  return { service, client, query };

  /** Sends an operation, and reads its answer and the calls that it took. */
  async function query(document: string, variables = {}, headers: RequestOptions['headers'] = {}) {
    service.calls.length = 0;
    const { body } = await client.ask({ query: document, variables }, withKey(headers));
    return { data: body.data, errors: body.errors ?? [], extensions: body.extensions, calls: service.calls.toSorted() };
  }
}

const withKey = (headers: RequestOptions['headers'] = {}): RequestOptions => ({
  key: null,
  headers: { 'x-library-key': 'demo-desk', ...headers },
});

test('references expand, each object once for all rows, by GETs or by pages of its list', async () => {
  const { query } = await start();
  const few = await query(`{
    works(title: "work 1", limit: 3) { results { id title author_id author { id name } } }
    again: works(author: 3, limit: 2) { results { id author { name born_on } } }
  }`);
  expect(few.errors).toEqual([]);
  expect(few.data.works.results).toEqual([
    { id: '1001', title: 'Work 1', author_id: '3', author: { id: '3', name: 'Person 1' } },
    { id: '1010', title: 'Work 10', author_id: '21', author: { id: '21', name: 'Person 10' } },
    { id: '1011', title: 'Work 11', author_id: '23', author: { id: '23', name: 'Person 11' } },
  ]);
  const author = { name: 'Person 1', born_on: '1951-05-01' };
  expect(few.data.again.results).toEqual([
    { id: '1001', author },
    { id: '1013', author },
  ]);
  expect(few.calls).toEqual([
    'GET /persons/21/',
    'GET /persons/23/',
    'GET /persons/3/',
    'GET /works/?author=3&per_page=2&page=1',
    'GET /works/?title=work+1&per_page=3&page=1',
  ]);

  const many = await query('{ copies(limit: 40) { results { id condition price work { title author { name } } } } }');
  expect(many.errors).toEqual([]);
  expect(many.data.copies.results.at(-1)).toEqual({
    id: '5120',
    condition: 'NEW',
    price: '10.50',
    work: { title: 'Work 0', author: { name: 'Person 0' } },
  });
  expect(many.calls).toEqual([
    'GET /copies/?per_page=40&page=1',
    'GET /persons/?per_page=50&page=1',
    'GET /works/?per_page=50&page=1',
  ]);
});

describe('pages by number', () => {
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => Number(id));
  const newest = (from: number, rows: number) => Array.from({ length: rows }, (_, at) => 9_089 - from - at);

  test('give any range of rows', async () => {
    const { query } = await start();
    for (const [offset, limit, calls] of [
      [20, 10, ['GET /loans/?per_page=10&page=3']],
      [7, 5, ['GET /loans/?per_page=6&page=2']],
      [0, 70, ['GET /loans/?per_page=24&page=3', 'GET /loans/?per_page=50&page=1']],
      [5, 0, ['GET /loans/?per_page=1&page=1']],
    ] as const) {
      const answer = await query(`{ loans(offset: ${offset}, limit: ${limit}) { count results { id } } }`);
      expect(answer.errors).toEqual([]);
      expect([answer.data.loans.count, ids(answer.data.loans.results)]).toEqual([90, newest(offset, limit)]);
      expect(answer.calls).toEqual(calls);
    }
  });

  test('and cursors lead once to each row, also when a loan comes in between', async () => {
    const { query } = await start();
    const next = 'query ($after: String) { loans(first: 40, after: $after) { next results { id } } }';
    const found: number[] = [];
    let after: string | null = null;
    do {
      const { data, errors } = await query(next, { after });
      expect(errors).toEqual([]);
      found.push(...ids(data.loans.results));
      if (after === null) {
        const { errors } = await query(
          'mutation { createLoan(input: { copy: 5120, borrower: 2, due_on: "2099-01-31" }) { id } }',
        );
        expect(errors).toEqual([]);
      }
      after = data.loans.next;
    } while (after !== null);
    expect(found).toEqual(newest(0, 90));
  });
});

test('a cursor knows the time by which its list is in order', async () => {
  const { query } = await start();
  const { data } = await query(
    '{ loans(limit: 1) { next results { lent_at } } copies(limit: 1) { next results { acquired_at } } }',
  );
  for (const [next, time] of [
    [data.loans.next, data.loans.results[0].lent_at],
    [data.copies.next, data.copies.results[0].acquired_at],
  ]) {
    expect(JSON.parse(Buffer.from(next, 'base64url').toString())).toContain(Date.parse(time) / 1000);
  }
});

test('a reference of two kinds gives each object by its kind, which the gateway remembers', async () => {
  const { query } = await start();
  const document = `{ loans(limit: 4) { results {
    borrower_id borrower { __typename name ... on Institution { city } ... on Person { born_on } }
  } } unknown: borrower(id: 999) { name } }`;
  const first = await query(document);
  expect(first.data.loans.results.map(({ borrower }: { borrower: object }) => borrower)).toEqual([
    { __typename: 'Person', name: 'Person 25', born_on: '1975-05-01' },
    { __typename: 'Person', name: 'Person 20', born_on: '1970-05-01' },
    { __typename: 'Institution', name: 'School 3', city: 'Ghent' },
    { __typename: 'Person', name: 'Person 10', born_on: '1960-05-01' },
  ]);
  expect(first.data.unknown).toBeNull();
  expect(first.errors).toMatchObject([
    { path: ['unknown'], extensions: { code: 'NOT_FOUND', reference: { type: 'Borrower', id: '999' } } },
  ]);
  expect(first.calls).toContain('GET /persons/8/');
  const again = await query(document);
  expect(again.calls.filter((call) => call.includes('/8/'))).toEqual(['GET /institutions/8/']);
});

test('totals count the loans of each borrower, in one look or by the filter of the list', async () => {
  const { query } = await start();
  const loans = await query('{ loans(limit: 90) { results { borrower_id lent_at } } }');
  const borrowers: string[] = loans.data.loans.results.map(({ borrower_id }: { borrower_id: string }) => borrower_id);
  const all = await query(
    '{ loanTotals(groupBy: [BORROWER]) { rows complete groups { borrower_id lent_by_id count } } }',
  );
  expect(all.errors).toEqual([]);
  expect(all.data.loanTotals).toEqual({
    rows: 90,
    complete: true,
    groups: [...new Set(borrowers)].sort().map((id) => ({
      borrower_id: id,
      lent_by_id: null,
      count: borrowers.filter((other) => other === id).length,
    })),
  });
  expect(all.calls).toEqual(['GET /loans/?per_page=50&page=1', 'GET /loans/?per_page=50&page=2']);
  const one = await query(`{
    borrower(id: 8) { ... on Institution { name loanTotals { rows groups { borrower { name } count } } } }
  }`);
  const rows = borrowers.filter((id) => id === '8').length;
  expect(one.data.borrower).toEqual({
    name: 'School 3',
    loanTotals: { rows, groups: [{ borrower: null, count: rows }] },
  });
  expect(one.calls).toEqual(['GET /institutions/8/', 'GET /loans/?borrower=8&per_page=50&page=1', 'GET /persons/8/']);
});

test('ways back show the rows of a list that refer to an object', async () => {
  const { query } = await start();
  const { data, errors, calls } = await query(`{
    work(id: 1003) { copies(limit: 2) { complete results { id acquired_at } } }
    borrower(id: 8) { ... on Institution { loans(limit: 2) { complete results { id is_late borrower_id } } } }
  }`);
  expect(errors).toEqual([]);
  expect(data).toEqual({
    work: {
      copies: {
        complete: true,
        results: [
          { id: '5123', acquired_at: '2021-05-04T00:00:00.000Z' },
          { id: '5003', acquired_at: '2021-01-04T00:00:00.000Z' },
        ],
      },
    },
    borrower: {
      loans: {
        complete: true,
        results: [
          { id: '9087', is_late: true, borrower_id: '8' },
          { id: '9075', is_late: true, borrower_id: '8' },
        ],
      },
    },
  });
  expect(calls).toContain('GET /copies/?work=1003&per_page=2&page=1');
});

test('a kind that only a list shows is found in its list', async () => {
  const { query } = await start();
  const { data, errors, calls } = await query(
    '{ work(id: 1007) { subject_ids subjects { name broader { name broader { name } } } } }',
  );
  expect(errors).toEqual([]);
  expect(data.work).toEqual({
    subject_ids: ['508', '510'],
    subjects: [
      { name: 'Subject 7', broader: { name: 'Subject 2', broader: null } },
      { name: 'Subject 9', broader: { name: 'Subject 4', broader: null } },
    ],
  });
  expect(calls).toEqual(['GET /subjects/?per_page=50&page=1', 'GET /works/1007/']);
  const schema = await query('{ __type(name: "Query") { fields { name } } }');
  const fields = schema.data.__type.fields.map(({ name }: { name: string }) => name);
  expect(fields).toEqual(expect.arrayContaining(['subjects', 'borrower']));
  expect(fields).not.toContain('subject');
});

describe('a write', () => {
  const lend = `mutation ($input: CreateLoanInput!) {
    createLoan(input: $input) { id due_on borrower { __typename name } copy { work { title } } }
  }`;
  const input = { copy: '5150', borrower: '4', due_on: '2099-01-31' };

  test('with an Idempotency-Key is made once', async () => {
    const { query } = await start();
    const key = { 'idempotency-key': 'a-loan-of-today' };
    const first = await query(lend, { input }, key);
    expect(first.errors).toEqual([]);
    expect(first.data.createLoan).toEqual({
      id: '9090',
      due_on: '2099-01-31',
      borrower: { __typename: 'Institution', name: 'School 1' },
      copy: { work: { title: 'Work 30' } },
    });
    expect(first.calls.filter((call) => call.startsWith('POST'))).toEqual(['POST /loans/']);
    const again = await query(lend, { input }, key);
    expect([again.errors, again.data]).toEqual([[], first.data]);
    expect(again.calls.filter((call) => call.startsWith('POST'))).toEqual([]);
    const other = await query(lend, { input: { ...input, copy: '5151' } }, key);
    expect(codesOf(other)).toEqual(['IDEMPOTENCY_CONFLICT']);
  });

  test('that the service refuses is an error with its fields', async () => {
    const { query } = await start();
    const { errors } = await query(lend, { input: { ...input, copy: '1' } });
    expect(errors).toMatchObject([
      {
        path: ['createLoan'],
        extensions: {
          code: 'BAD_USER_INPUT',
          fields: [{ path: ['input', 'copy'], message: 'There is no such copy.' }],
          upstream_status: 422,
        },
      },
    ]);
    const late = await query(lend, { input: { ...input, due_on: '2020-01-31' } });
    expect(late.errors).toMatchObject([
      { extensions: { fields: [{ path: ['input'], message: 'The loan ends before it begins.' }] } },
    ]);
    const lent = await query(lend, { input: { ...input, copy: '5089' } });
    expect(codesOf(lent)).toEqual(['CONFLICT']);
  });

  test('changes an object, in the times of the service', async () => {
    const { query } = await start();
    const bring = `mutation { updateLoan(id: 9089, input: { returned_at: "2021-11-01T10:00:00Z" }) { returned_at is_late note } }`;
    const { data, errors, calls } = await query(bring);
    expect(errors).toEqual([]);
    expect(data.updateLoan).toEqual({ returned_at: '2021-11-01T10:00:00Z', is_late: false, note: '' });
    expect(calls).toEqual(['PATCH /loans/9089/']);
  });
});

test('a push makes writes that name each other', async () => {
  const { query } = await start();
  const writes = [
    { key: 'a-work', ref: 'work', write: { createWork: { title: 'Emma', author: '3' } } },
    { key: 'a-loan', ref: 'loan', write: { createLoan: { copy: '5150', borrower: '4', due_on: '2099-01-31' } } },
    { key: 'its-return', write: { updateLoan: { id: '$loan', input: { note: 'Worn.' } } } },
    { key: 'no-loan', write: { createLoan: { copy: '1', borrower: '4', due_on: '2099-01-31' } } },
  ];
  const document = `mutation ($writes: [WriteInput!]!) { push(writes: $writes) {
    status object { ... on Work { title author { name } } ... on Loan { id note } } error { code fields { path } }
  } }`;
  const { data, errors } = await query(document, { writes });
  expect(errors).toEqual([]);
  expect(data.push).toEqual([
    { status: 'DONE', object: { title: 'Emma', author: { name: 'Person 1' } }, error: null },
    { status: 'DONE', object: { id: '9090', note: 'Worn.' }, error: null },
    { status: 'DONE', object: { id: '9090', note: 'Worn.' }, error: null },
    { status: 'REFUSED', object: null, error: { code: 'BAD_USER_INPUT', fields: [{ path: ['input', 'copy'] }] } },
  ]);
});

test('an upload arrives whole', async () => {
  const { service, client } = await start();
  const bytes = new Uint8Array(3_000_000).map((_, index) => (index * 31) % 251);
  const document = 'mutation ($cover: Upload!) { uploadCover(work: 1000, cover: $cover) { title cover } }';
  const scan = new File([bytes], 'cover.png', { type: 'image/png' });
  const response = await client.upload(document, { cover: null }, scan, withKey());
  const { data, errors } = (await response.json()) as { data: { uploadCover: { cover: string } }; errors?: unknown[] };
  expect(errors).toBeUndefined();
  const { origin } = new URL(service.url);
  expect(data.uploadCover).toEqual({ title: 'Work 0', cover: `${origin}/media/covers/1000` });
  const stored = await (await fetch(data.uploadCover.cover)).bytes();
  expect(sha256(stored)).toBe(sha256(bytes));
});

test('a text that its client calls HTML arrives under no type that browsers run', async () => {
  const { client } = await start();
  const document = 'mutation ($cover: Upload!) { uploadCover(work: 1000, cover: $cover) { cover } }';
  const upload = async (text: string) => {
    const scan = new File([text], 'cover.html', { type: 'text/html' });
    const response = await client.upload(document, { cover: null }, scan, withKey());
    return (await response.json()) as {
      data: { uploadCover: { cover: string } | null };
      errors?: { message: string }[];
    };
  };
  const { data } = await upload('Emma <script>alert(1)</script>');
  const stored = await fetch(data.uploadCover!.cover);
  expect(stored.headers.get('content-type')).not.toContain('html');
  expect((await upload('<p>Emma</p>')).errors).toMatchObject([{ message: 'The file is HTML. Browsers would run it.' }]);
});

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('limits refuse an operation before its first call', async () => {
  const { query } = await start({ limits: { documents: { depth: 5 } } });
  const deep = await query('{ loans { results { copy { work { author { name } } } } } }');
  expect(codesOf(deep)).toEqual(['QUERY_TOO_COMPLEX']);
  expect(deep.errors[0].message).toContain('depth');
  const wide = await query(
    '{ copies(limit: 1000) { results { id work { copies(limit: 1000) { results { id } } } } } }',
  );
  expect(codesOf(wide)).toEqual(['QUERY_TOO_COMPLEX']);
  expect([...deep.calls, ...wide.calls]).toEqual([]);
});

test('the trace names each call and why it was made', async () => {
  const { query } = await start();
  const document = '{ works(limit: 1) { results { author { name } } } }';
  const { extensions } = await query(document, {}, { 'x-trace-upstream': 'true' });
  expect(extensions.upstream).toMatchObject({
    total: 2,
    estimate: { least: 1, expected: { calls: 2 } },
    calls: [
      {
        method: 'GET',
        path: '/works/',
        query: { per_page: 1, page: 1 },
        status: 200,
        rows: 1,
        reason: 'root',
        fields: ['works'],
      },
      {
        method: 'GET',
        path: '/persons/{number}/',
        id: '1',
        status: 200,
        rows: 1,
        reason: 'by id',
        fields: ['Work.author'],
      },
    ],
  });
});

test('an unknown id is NOT_FOUND, and costs no call where the service cannot have it', async () => {
  const { query } = await start();
  const unknown = await query('{ work(id: 77) { title } }');
  expect([unknown.data, codesOf(unknown), unknown.calls]).toEqual([{ work: null }, ['NOT_FOUND'], ['GET /works/77/']]);
  const impossible = await query('{ work(id: "WORK77") { title } }');
  expect([impossible.data, codesOf(impossible), impossible.calls]).toEqual([{ work: null }, ['NOT_FOUND'], []]);
});

test('without a key, errors name the header of this service', async () => {
  const { query } = await start();
  const none = await query('{ works { count } }', {}, { 'x-library-key': undefined, authorization: 'demo-desk' });
  expect(none.errors).toMatchObject([
    { message: 'Send the API key in the X-Library-Key header.', extensions: { code: 'UNAUTHENTICATED' } },
  ]);
  expect(none.calls).toEqual([]);
  const wrong = await query('{ works { count } }', {}, { 'x-library-key': 'nobody' });
  expect(wrong.errors).toMatchObject([
    { message: 'The service does not accept the X-Library-Key header.', extensions: { code: 'UNAUTHENTICATED' } },
  ]);
});

test.each(['PORT', 'LIBRARY_PORT'])('`npm run library` says what to do where %s is taken', async (name) => {
  const other = await startLibrary();
  opened.push(other);
  const { port } = new URL(other.url);
  const env = { PATH: process.env.PATH, PORT: '0', LIBRARY_PORT: '0', [name]: port };
  const starts = promisify(execFile)(process.execPath, ['examples/second-service/start.ts'], { env, timeout: 50_000 });

  const stderr = `Port ${port} is taken; choose another one with PORT, or LIBRARY_PORT for the library.\n`;
  await expect(starts).rejects.toMatchObject({ code: 1, stderr });
});
