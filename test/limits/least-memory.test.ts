import { afterAll, beforeAll, expect, test } from 'vitest';
import { file, form, operationOf, pdf, request } from '../../bench/lib/upload-form.ts';
import { codesOf } from '../support/client.ts';
import { readGoldenFile } from '../support/golden-calls.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { sendRaw } from '../support/raw-http.ts';
import { knownIds } from '../support/rest.ts';

/** The least MEMORY_LIMIT. */
let small: Gateway;
let large: Gateway;
beforeAll(async () => {
  small = await startGateway({ settings: { MEMORY_LIMIT: '40MiB' } });
  large = await startGateway({ settings: { MEMORY_LIMIT: '1GiB' } });
});
afterAll(async () => {
  await small.close();
  await large.close();
});

test.each(readGoldenFile())('the least memory suffices for: $title', async ({ document, key }) => {
  const [inSmall, inLarge] = [await small.ask(document, { key }), await large.ask(document, { key })];
  expect([inSmall.status, codesOf(inSmall.body)]).toEqual([inLarge.status, codesOf(inLarge.body)]);
});

test.each(['length', 'chunked'] as const)('the least memory suffices for the largest file (%s)', async (framing) => {
  const { payment } = await knownIds(small.sandbox);
  const body = form([...operationOf(payment), file(pdf(20 * 2 ** 20))]);
  const answer = await sendRaw(small.url, request(body, framing));
  expect(JSON.parse(answer!.body)).toMatchObject({ data: { uploadInvoice: { id: payment } } });
});
