import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chunked, file, form, head, operationOf, pdf, request, uploadInvoice } from '../../bench/lib/upload-form.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { type RawAnswer, RawConnection, sendRaw } from '../support/raw-http.ts';
import { get, type Json, knownIds } from '../support/rest.ts';

const mebibyte = 1024 * 1024;
let gateway: Gateway;
let payment: string;

beforeAll(async () => {
  gateway = await startGateway();
  payment = (await knownIds(gateway.sandbox)).payment;
});
afterAll(() => gateway.close());
beforeEach(() => gateway.sandbox.clearCalls());

const invoicePath = () => `/transactions/payment-transactions/${payment}/invoice/`;
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const stored = () => gateway.sandbox.calls().flatMap(({ file }) => file ?? []);
const upstreamCalls = () => gateway.sandbox.calls().map(({ method, path }) => `${method} ${path}`);

interface Upload {
  file?: File;
  query?: string;
  id?: string;
  key?: string | null;
  to?: Gateway;
}

async function upload({ file = new File(['%PDF'], 'a.txt'), query = uploadInvoice(), id = payment, key, to }: Upload) {
  const options = key === undefined ? {} : { key };
  const response = await (to ?? gateway).upload(query, { id, invoice: null }, file, options);
  const { data, errors = [] } = (await response.json()) as Json;
  return { status: response.status, data, errors };
}

describe('a file arrives at the service unchanged', () => {
  test.each([4, 5, 65_535, 65_536, 65_537, 10 * mebibyte])('with %i bytes', async (bytes) => {
    const content = pdf(bytes);
    const { status, data, errors } = await upload({ file: new File([content], 'invoice.pdf') });

    expect({ status, errors }).toEqual({ status: 200, errors: [] });
    expect(upstreamCalls()).toEqual([`PATCH ${invoicePath()}`]);
    expect(stored()).toMatchObject([{ bytes, sha256: sha256(content), contentLength: expect.any(Number) }]);
    const { invoice } = await get(gateway.sandbox, `/transactions/payment-transactions/${payment}/`);
    expect(data).toEqual({ uploadInvoice: { id: payment, invoice } });
    expect(sha256(Buffer.from(await (await fetch(invoice)).arrayBuffer()))).toBe(sha256(content));
  });

  test.each([
    ['März 請求書 🌱.pdf', 'März 請求書 🌱.pdf'],
    ['a "quoted" name.png', 'a %22quoted%22 name.png'],
    ['semi;colon=equals.csv', 'semi;colon=equals.csv'],
    [`${'n'.repeat(300)}.xml`, `${'n'.repeat(300)}.xml`],
  ])('with the name %j', async (name, arrives) => {
    const { errors } = await upload({ file: new File(['%PDF'], name) });
    expect(errors).toEqual([]);
    expect(stored()).toMatchObject([{ name: arrives, bytes: 4 }]);
  });

  test('from a client that declares no length, with a length', async () => {
    const content = pdf(200_000);
    const answer = await sendChunked(gateway, content);
    expect(JSON.parse(answer!.body)).toMatchObject({ data: { uploadInvoice: { id: payment } } });
    expect(stored()).toMatchObject([{ sha256: sha256(content), contentLength: expect.any(Number) }]);
  });

  test('from curl', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'uploads-test-'));
    const content = pdf(300_000);
    await writeFile(join(folder, 'scan.pdf'), content);
    for (const more of [[], ['-H', 'Transfer-Encoding: chunked']]) {
      gateway.sandbox.clearCalls();
      const { stdout } = await promisify(execFile)('curl', [
        ...['--silent', '--show-error', '--max-time', '15', '-H', 'Authorization: demo-coop'],
        ...['-H', 'apollo-require-preflight: true', ...more],
        ...[
          '--form-string',
          `operations=${JSON.stringify({ query: uploadInvoice(), variables: { id: payment, invoice: null } })}`,
        ],
        ...['--form-string', 'map={"0":["variables.invoice"]}', '-F', `0=@${join(folder, 'scan.pdf')}`, gateway.url],
      ]);
      expect(JSON.parse(stdout)).toMatchObject({ data: { uploadInvoice: { id: payment } } });
      expect(stored()).toMatchObject([{ name: 'scan.pdf', type: 'application/pdf', sha256: sha256(content) }]);
    }
    await rm(folder, { recursive: true });
  });
});

test('a file that two fields would send is refused before the first of them', async () => {
  const field = 'uploadInvoice(payment_transaction: $id, invoice: $invoice) { id }';
  const query = `mutation ($id: ID!, $invoice: Upload!) { first: ${field} second: ${field} }`;
  const { status, errors } = await upload({ query });
  expect(status).toBe(400);
  expect(errors).toMatchObject([
    {
      message: 'Two fields send the same file. Send a request with the file for each of them.',
      extensions: { code: 'BAD_USER_INPUT' },
    },
  ]);
  expect(upstreamCalls()).toEqual([]);
});

describe('the answer to an upload', () => {
  test('gives id and invoice, and reads other fields from the payment', async () => {
    const { data, errors } = await upload({ query: uploadInvoice('id invoice method amount premium { name }') });
    expect(errors).toEqual([]);
    expect(upstreamCalls()).toEqual([`PATCH ${invoicePath()}`, `GET /transactions/payment-transactions/${payment}/`]);
    const row = await get(gateway.sandbox, `/transactions/payment-transactions/${payment}/`);
    expect(data.uploadInvoice).toEqual({
      id: payment,
      invoice: row.invoice,
      method: row.method,
      amount: row.amount,
      premium: { name: row.premium_details.name },
    });
    expect(['CARD', 'INVOICE']).toContain(row.method);
  });

  test('can have an alias, beside other mutations', async () => {
    const query = `mutation ($id: ID!, $invoice: Upload!) {
      before: createFarmer(input: { first_name: "A" }) { first_name }
      file: uploadInvoice(payment_transaction: $id, invoice: $invoice) { id }
      after: createFarmer(input: { first_name: "B" }) { first_name }
    }`;
    const { data, errors } = await upload({ query });
    expect(errors).toEqual([]);
    expect(data).toEqual({ before: { first_name: 'A' }, file: { id: payment }, after: { first_name: 'B' } });
    const farmers = 'POST /supply-chains/farmers/';
    expect(upstreamCalls()).toEqual([farmers, `PATCH ${invoicePath()}`, farmers]);
  });
});

describe('an upload is refused', () => {
  test('for a payment that the service does not know', async () => {
    const { status, data, errors } = await upload({ id: 'NOSUCHIDXX', file: new File([pdf(mebibyte)], 'a') });
    expect({ status, data }).toEqual({ status: 200, data: { uploadInvoice: null } });
    expect(errors).toMatchObject([
      {
        path: ['uploadInvoice'],
        extensions: { code: 'NOT_FOUND', reference: { type: 'PaymentTransaction', id: 'NOSUCHIDXX' } },
      },
    ]);
    expect(stored()).toEqual([]);
  });

  test('without a key', async () => {
    const { status, data, errors } = await upload({ key: null, file: new File([pdf(mebibyte)], 'a') });
    expect({ status, data }).toEqual({ status: 401, data: undefined });
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(upstreamCalls()).toEqual([]);
  });

  test('without the preflight header, before a byte of the form is there', async () => {
    const answer = await sendRaw(gateway.url, head(1_000, { 'Apollo-Require-Preflight': '' }));
    expect(answer?.status).toBe(400);
    expect(answer?.body).toContain('apollo-require-preflight');
  });

  test('with a key that the service does not know', async () => {
    const { errors } = await upload({ key: 'a-stranger' });
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(stored()).toEqual([]);
  });

  test.each([
    ['does not parse', 'mutation ($id: ID!', 400, 'GRAPHQL_PARSE_FAILED'],
    ['does not fit the schema', uploadInvoice('shoe_size'), 400, 'GRAPHQL_VALIDATION_FAILED'],
    ['does not use the file', 'query ($id: ID!) { paymentTransaction(id: $id) { id } }', 200, undefined],
  ])('or skipped without hanging if the document %s', async (_case, query, status, code) => {
    const answer = await upload({ query, file: new File([pdf(3 * mebibyte)], 'a') });
    expect({ status: answer.status, code: answer.errors[0]?.extensions.code }).toEqual({ status, code });
    expect(stored()).toEqual([]);
  });

  test('with a text or null in place of a file', async () => {
    for (const invoice of ['a text', null, 7]) {
      const { errors, calls } = await gateway.query(uploadInvoice(), { id: payment, invoice });
      const fields = [{ path: ['invoice'], message: expect.stringContaining('Send the file in a multipart request') }];
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields } }]);
      expect(calls).toEqual([]);
    }
  });

  test('with a text in the document, and the error says how to send a file', async () => {
    const { errors } = await gateway.query(
      'mutation { uploadInvoice(payment_transaction: "A", invoice: "a.pdf") { id } }',
    );
    expect(errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
    expect(errors[0]?.message).toContain('a variable of the type Upload');
  });

  test('with a second file', async () => {
    const form = new FormData();
    const query = `mutation ($id: ID!, $a: Upload!, $b: Upload!) {
      a: uploadInvoice(payment_transaction: $id, invoice: $a) { id }
      b: uploadInvoice(payment_transaction: $id, invoice: $b) { id }
    }`;
    form.set('operations', JSON.stringify({ query, variables: { id: payment, a: null, b: null } }));
    form.set('map', '{"0":["variables.a"],"1":["variables.b"]}');
    form.set('0', new File(['a'], 'a'));
    form.set('1', new File(['b'], 'b'));
    const headers = { authorization: 'demo-coop', 'apollo-require-preflight': 'true' };
    const response = await fetch(gateway.url, { method: 'POST', headers, body: form });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
    expect(upstreamCalls()).toEqual([]);
  });
});

describe('a file at limits.uploads.fileBytes', () => {
  let small: Gateway;
  beforeAll(async () => {
    small = await startGateway({
      settings: { 'limits.uploads.fileBytes': '100000' },
      upstreamUrl: gateway.sandbox.url,
    });
  });
  afterAll(() => small.close());

  test.each([100_000])('is accepted with %i bytes', async (bytes) => {
    const { errors } = await upload({ to: small, file: new File([pdf(bytes)], 'a') });
    expect(errors).toEqual([]);
    expect(stored()).toMatchObject([{ bytes }]);
  });

  test.each([100_003, 5 * mebibyte])('is refused with %i bytes by its declared length', async (bytes) => {
    const { status, data, errors } = await upload({ to: small, file: new File([pdf(bytes)], 'a') });
    expect({ status, data }).toEqual({ status: 413, data: undefined });
    expect(errors).toMatchObject([{ extensions: { code: 'PAYLOAD_TOO_LARGE', retryable: false } }]);
    expect(upstreamCalls()).toEqual([]);
  });

  test('is never stored with one byte too many', async () => {
    const { errors } = await upload({ to: small, file: new File([pdf(100_001)], 'a') });
    expect(errors).toMatchObject([{ extensions: { code: 'PAYLOAD_TOO_LARGE' } }]);
    expect(stored()).toEqual([]);
  });

  test('is refused without a declared length once it is too long', async () => {
    const answer = await sendChunked(small, pdf(300_000));
    expect(JSON.parse(answer!.body)).toMatchObject({ errors: [{ extensions: { code: 'PAYLOAD_TOO_LARGE' } }] });
    expect(upstreamCalls()).toEqual([]);
  });
});

describe('a client connection', () => {
  const next = '{"query":"{ __typename }"}';
  const nextRequest = `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${next.length}\r\n\r\n${next}`;

  test.each<[string, Record<string, string>, string]>([
    ['without a key', { Authorization: '' }, uploadInvoice()],
    ['without the preflight header', { 'Apollo-Require-Preflight': '' }, uploadInvoice()],
    ['with a document that does not fit', {}, uploadInvoice('shoe_size')],
    ['with all in order', {}, uploadInvoice()],
  ])('stays usable after an upload %s', async (_case, headers, query) => {
    const connection = new RawConnection(gateway.url);
    const body = multipart(pdf(mebibyte), query);
    await connection.send(head(body.length, headers));
    await connection.send(body);
    expect(await connection.answer()).toMatchObject({ status: expect.any(Number) });
    await connection.send(nextRequest);
    expect((await connection.answer())?.body).toBe('{"data":{"__typename":"Query"}}\n');
    connection.close();
  });

  test.each(['Content-Length', 'Transfer-Encoding'])(
    'that closes half-way through a file leaves no files behind (%s)',
    async (framing) => {
      const before = await get(gateway.sandbox, `/transactions/payment-transactions/${payment}/`);
      gateway.sandbox.clearCalls();
      const body = multipart(pdf(4 * mebibyte));
      const half = body.subarray(0, body.length / 2);
      const isChunked = framing === 'Transfer-Encoding';
      const connection = new RawConnection(gateway.url);
      await connection.send(head(isChunked ? 'chunked' : body.length));
      await connection.send(isChunked ? chunked(half) : half);
      if (!isChunked) await expect.poll(upstreamCalls).toEqual([`PATCH ${invoicePath()}`]);
      connection.close();

      if (!isChunked) await expect.poll(() => gateway.sandbox.calls()[0]?.status).not.toBe(0);
      expect(stored()).toEqual([]);
      const after = await get(gateway.sandbox, `/transactions/payment-transactions/${payment}/`);
      expect(after).toEqual(before);
      expect((await upload({})).errors).toEqual([]);
    },
  );
});

const multipart = (content: Buffer, query = uploadInvoice()) => form([...operationOf(payment, query), file(content)]);

async function sendChunked(to: Gateway, content: Buffer): Promise<RawAnswer | undefined> {
  return sendRaw(to.url, request(multipart(content), 'chunked'));
}
