import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { file, form, head, operationOf, uploadInvoice } from '../../bench/lib/upload-form.ts';
import { codeOf } from '../support/client.ts';
import { type FakedGateway, startFakedGateway } from '../support/harness.ts';
import { RawConnection } from '../support/raw-http.ts';
import { configOf } from '../support/settings.ts';

let gateway: FakedGateway;
let id: string;
beforeAll(async () => {
  gateway = await startFakedGateway();
  const { data } = await gateway.query('{ paymentTransactions(limit: 1) { results { id } } }');
  id = data.paymentTransactions.results[0].id;
});
afterAll(() => gateway.close());
beforeEach(() => gateway.upstream.clear());

type Content = string | Uint8Array<ArrayBuffer>;
const bytes = (...values: number[]) => new Uint8Array(values);
/** Text as the tools of Windows write it. */
const utf16 = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));
/** The first box of a photograph of an iPhone. */
const ftyp = (brand: string) => `\0\0\0\x18ftyp${brand}\0\0\0\0mif1heic`;
/** A signature with the header chunk that every PNG has. */
const png = `\x0d\x0a\x1a\x0a\0\0\0\x0dIHDR${'\0'.repeat(17)}\0\0\0\0IDAT\0\0\0\0`;

async function upload(content: Content, type = 'text/html', to: FakedGateway = gateway) {
  const response = await to.upload(
    uploadInvoice(),
    { id, invoice: null },
    new File([content], 'invoice.pdf', { type }),
  );
  const { data, errors = [] } = await response.json();
  return { data, errors };
}

/** Calls of the service, with the media type of the file. */
const sent = () =>
  gateway.upstream.requests.map(({ method, body }) => `${method} ${/Content-Type: (\S+)/.exec(String(body))?.[1]}`);

test.each<[string, Content]>([
  ['application/pdf', '%PDF-1.7\n'],
  ['image/jpeg', bytes(0xff, 0xd8, 0xff, 0xe0, 0, 16)],
  ['image/png', new Uint8Array([0x89, ...Buffer.from(`PNG${png}`, 'latin1')])],
  ['image/webp', 'RIFF\0\0\0\0WEBPVP8 '],
  ['image/heic', ftyp('heic')],
  ['image/heif', ftyp('mif1')],
])('a file of the type %s arrives under that type, whatever its client says', async (type, content) => {
  const { errors } = await upload(content);
  expect(errors).toEqual([]);
  expect(sent()).toEqual([`PATCH ${type}`]);
});

const types = 'application/pdf, image/jpeg, image/png, image/webp, image/heic, image/heif';

describe('the service sees no byte of a file that is', () => {
  test.each<[string, Content]>([
    ['image/gif', 'GIF89a\x01\0\x01\0'],
    ['application/zip', 'PK\x03\x04\x14\0\0\0\0\0'],
    ['application/x-msdownload', `MZ${'\0'.repeat(100)}`],
    ['a text', 'Invoice 7: 3 bags'],
    ['empty', ''],
    ['of an unknown type', bytes(1, 2, 3, 0xff)],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['HTML', '\ufeff \r\n<!-- a comment --><body onload="alert(1)">'],
    ['HTML', utf16('<html>')],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['SVG', '<?xml version="1.0"?>\n<!DOCTYPE svg>\n<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['SVG', utf16('<?xml version="1.0"?><s:svg xmlns:s="http://www.w3.org/2000/svg"/>')],
    ['XML', '<?xml version="1.0"?><invoice/>'],
  ])('%s (%#)', async (found, content) => {
    const { data, errors } = await upload(content, 'application/pdf');
    const message = `The file is ${found}. Send one of these types: ${types}.`;
    expect(data).toEqual({ uploadInvoice: null });
    expect(errors).toMatchObject([
      {
        message,
        path: ['uploadInvoice'],
        extensions: { code: 'BAD_USER_INPUT', retryable: false, fields: [{ path: ['invoice'], message }] },
      },
    ]);
    expect(sent()).toEqual([]);
  });

  test('refused while most of it is still with its client', async () => {
    const start = form([...operationOf(id), file(`GIF89a${'\0'.repeat(5_000)}`)]).subarray(0, -20);
    const connection = new RawConnection(gateway.url);
    await connection.send(head(start.length + 1_000_000));
    await connection.send(start);
    const answer = await connection.answer();
    connection.close();
    expect(codeOf(JSON.parse(answer!.body))).toBe('BAD_USER_INPUT');
    expect(sent()).toEqual([]);
  });
});

test('UPLOAD_TYPES takes other types in place of those of the contract', async () => {
  await using other = await startFakedGateway({ UPLOAD_TYPES: 'image/GIF' });
  expect((await upload('GIF89a\x01\0\x01\0', 'image/gif', other)).errors).toEqual([]);
  expect(codeOf(await upload('%PDF-1.7', 'application/pdf', other))).toBe('BAD_USER_INPUT');
});

test('UPLOAD_TYPES takes the documents of offices, whose names have "xml" in them', () => {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  expect(configOf({ UPLOAD_TYPES: type })).toMatchObject({
    limits: { uploads: { types: [type] } },
  });
});

test.each(['image/svg+xml', 'text/html', 'application/xhtml+xml', 'pdf'])('UPLOAD_TYPES cannot be %s', (type) => {
  expect(() => configOf({ UPLOAD_TYPES: type })).toThrow('UPLOAD_TYPES');
});
