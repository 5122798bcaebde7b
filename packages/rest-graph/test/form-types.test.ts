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

test.each([
  ['image/*', png, true],
  ['image/png, image/jpeg', png, true],
  ['*/*', png, true],
  ['application/octet-stream', png, true],
  ['application/octet-stream', new TextEncoder().encode('a text'), true],
  ['audio/*', png, false],
  ['image/*', new TextEncoder().encode('a text'), false],
  ['image/*', new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'), false],
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
