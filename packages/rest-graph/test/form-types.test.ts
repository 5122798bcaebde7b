import { expect, test } from 'vitest';
import { clientOf } from '../../../test/support/client.ts';
import { startDescribed } from './described-service.ts';
import { document } from './notes.ts';

/** A note takes a scan of these types. */
const scanned = (contentType: string) =>
  document().replace(
    '\n  /notes/{id}:',
    `
  /notes/{id}/scan:
    post:
      operationId: uploadScan
      tags: [Notes]
      description: x
      parameters: [{ name: id, in: path, required: true, x-argument: note, schema: { type: string } }]
      requestBody:
        content:
          multipart/form-data:
            schema: { type: object, properties: { scan: { type: string, format: binary } } }
            encoding: { scan: { contentType: "${contentType}" } }
      responses: { "200": { description: x, content: { application/json: { schema: { $ref: "#/components/schemas/Note" } } } } }
  /notes/{id}:`,
  );

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);

const bytesOf = (text: string, coding: BufferEncoding = 'utf8') => new Uint8Array(Buffer.from(text, coding));

test.each([
  ['image/*', png, true],
  ['image/PNG', png, true],
  ['image/png, image/jpeg', png, true],
  ['*/*', png, true],
  ['application/octet-stream', png, true],
  ['application/octet-stream', bytesOf('a text'), true],
  ['audio/*', png, false],
  ['image/*', bytesOf('a text'), false],
  ['image/*', bytesOf('<svg xmlns="http://www.w3.org/2000/svg"/>'), false],
])('an encoding of %s decides about a file by its first bytes', async (contentType, bytes, isTaken) => {
  const { url, rest } = await startDescribed({ document: scanned(contentType) }, () => ({
    status: 200,
    body: { id: 'n1', text: 'Milk' },
  }));
  const operation = 'mutation ($scan: Upload!) { uploadScan(note: "n1", scan: $scan) { text } }';
  const answer = await clientOf(url).upload(operation, { scan: null }, new File([bytes], 'scan'));
  const { data, errors = [] } = (await answer.json()) as { data: unknown; errors?: { extensions: object }[] };
  expect([data, errors.map(({ extensions }) => extensions)]).toEqual(
    isTaken
      ? [{ uploadScan: { text: 'Milk' } }, []]
      : [{ uploadScan: null }, [expect.objectContaining({ code: 'BAD_USER_INPUT' })]],
  );
  expect(rest.requests.length).toBe(isTaken ? 1 : 0);
});

/** The sample ends within a letter. The others are as Windows writes them, and one begins as a bitmap does. */
const long = bytesOf(`${'x'.repeat(4_099)}ü;1`);
const table = bytesOf('Grüße;1\r\n', 'latin1');
const unicode = bytesOf('\ufeffname\t1\r\n', 'utf16le');
const bitmap = bytesOf('BMI,weight\n21,70\n');

test.each<[contentType: string, bytes: Uint8Array<ArrayBuffer>, said: string, sent: string | undefined]>([
  ['text/csv', bytesOf('name,age\nAda,36\n'), 'text/csv', 'text/csv'],
  ['text/csv; charset=utf-8', bitmap, 'TEXT/CSV', 'text/csv'],
  ['text/csv', table, 'application/vnd.ms-excel', 'text/csv'],
  ['application/pdf, text/csv', long, '', 'text/csv'],
  ['text/*', unicode, 'application/vnd.ms-excel', 'text/plain'],
  ['text/*', table, 'text/tab-separated-values', 'text/tab-separated-values'],
  ['text/*', table, 'text/html', 'text/plain'],
  ['text/csv, application/json', bytesOf('{"a": 1}'), 'application/json', 'application/json'],
  ['application/geo+json', bytesOf('{"type": "Point"}'), 'application/json', 'application/geo+json'],
  ['text/csv', bytesOf(''), 'text/csv', undefined],
  ['text/csv', new Uint8Array([1, 2, 3]), 'text/csv', undefined],
  ['text/csv', bytesOf('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n'), 'text/csv', undefined],
  ['text/*', bytesOf('{\\rtf1\\ansi A text.}'), 'text/csv', undefined],
  ['text/*', png, 'text/csv', undefined],
  ['text/*', bytesOf('<html><script>1</script></html>'), 'text/csv', undefined],
])('an encoding of %s takes a text (%#)', async (contentType, bytes, type, sent) => {
  const { url, rest } = await startDescribed({ document: scanned(contentType) }, () => ({
    status: 200,
    body: { id: 'n1', text: 'Milk' },
  }));
  const operation = 'mutation ($scan: Upload!) { uploadScan(note: "n1", scan: $scan) { text } }';
  await clientOf(url).upload(operation, { scan: null }, new File([bytes], 'scan', { type }));
  expect(rest.requests.map(({ body }) => /Content-Type: (\S+)/.exec(String(body))?.[1])).toEqual(sent ? [sent] : []);
});
