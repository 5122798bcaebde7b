import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chunked, head, lastChunk, uploadInvoice } from '../../bench/lib/upload-form.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { extensionsOf, RawConnection, sendRaw } from '../support/raw-http.ts';
import { knownIds } from '../support/rest.ts';
import { type MobileForm, mobileForms } from './mobile-forms.ts';

let gateway: Gateway;
let payment: string;
beforeAll(async () => {
  gateway = await startGateway();
  payment = (await knownIds(gateway.sandbox)).payment;
});
afterAll(() => gateway.close());
beforeEach(() => gateway.sandbox.clearCalls());

/** A photograph, as far as its first bytes say. Has what parsers of forms look for. */
const photograph = ({ boundary }: MobileForm) =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]),
    Buffer.from(
      `JFIF\0\r\n--\r\n\r\n--${boundary.slice(0, -1)}\r\nContent-Length: 1\r\n\r\n${'\0\xff\r\n'.repeat(20)}`,
      'latin1',
    ),
  ]);

function bodyOf({ boundary, parts }: MobileForm, file: Buffer): Buffer {
  const contents = [
    // Clients that mark text as such do it for a text with other letters than those of ASCII.
    JSON.stringify({ query: `# reçu\n${uploadInvoice()}`, variables: { id: payment, invoice: null } }),
    '{"0":["variables.invoice"]}',
    file,
  ].map((content) => Buffer.from(content));
  return Buffer.concat([
    ...parts.flatMap((lines, index) => [
      Buffer.from(`--${boundary}\r\n${lines.join('\r\n')}\r\n\r\n`.replace('{bytes}', `${contents[index]!.length}`)),
      contents[index]!,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
}

/** A request with a length, or in chunks. */
function requestOf(form: MobileForm, body: Buffer, framing: 'length' | 'chunked'): Buffer {
  const { boundary, contentType = `multipart/form-data; boundary=${boundary}`, transferEncoding } = form;
  const headers = { 'Content-Type': contentType };
  if (framing === 'length') return Buffer.concat([Buffer.from(head(body.length, headers)), body]);
  const spelt = { ...headers, 'Transfer-Encoding': transferEncoding ?? 'chunked' };
  return Buffer.concat([Buffer.from(head('chunked', spelt)), chunked(body), lastChunk]);
}

const stored = () => gateway.sandbox.calls().flatMap(({ file }) => file ?? []);

describe.each(mobileForms.map((form) => [form.client, form] as const))('the form of %s', (_client, form) => {
  const content = photograph(form);
  const arrived = { name: form.name, type: 'image/jpeg', sha256: createHash('sha256').update(content).digest('hex') };

  test.each(['length', 'chunked'] as const)('arrives whole (%s)', async (framing) => {
    const answer = await sendRaw(gateway.url, requestOf(form, bodyOf(form, content), framing));
    expect(JSON.parse(answer!.body)).toMatchObject({ data: { uploadInvoice: { id: payment } } });
    expect(stored()).toMatchObject([arrived]);
  });

  test('arrives whole, byte by byte', async () => {
    const request = requestOf(form, bodyOf(form, content), form.transferEncoding ? 'chunked' : 'length');
    const connection = new RawConnection(gateway.url);
    connection.socket.setNoDelay(true);
    for (const byte of request) {
      await connection.send(Buffer.of(byte));
      // The next byte is a packet of its own.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const answer = await connection.answer();
    connection.close();
    expect(JSON.parse(answer!.body)).toMatchObject({ data: { uploadInvoice: { id: payment } } });
    expect(stored()).toMatchObject([arrived]);
  });
});

describe('a file without a filename is refused by that word', () => {
  const form = mobileForms.find(({ client }) => client === 'Alamofire')!;
  const [operations, map] = form.parts;
  const unnamed: MobileForm = { ...form, parts: [operations, map, ['Content-Disposition: form-data; name="0"']] };

  test.each([
    ['as text', Buffer.from(`%PDF-1.7${' '.repeat(100)}`)],
    ['as bytes', photograph(form)],
    ['as many bytes', Buffer.concat([photograph(form), Buffer.alloc(2_000_000, 0xff)])],
  ])('%s', async (_kind, content) => {
    const answer = await sendRaw(gateway.url, requestOf(unnamed, bodyOf(unnamed, content), 'length'));
    expect(answer?.status).toBe(400);
    expect(extensionsOf(answer)).toMatchObject({ code: 'BAD_REQUEST', retryable: false });
    expect(JSON.parse(answer!.body).errors[0].message).toBe('Part "0" is the file, and needs a "filename".');
    expect(stored()).toEqual([]);
  });
});
