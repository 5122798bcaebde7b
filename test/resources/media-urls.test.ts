import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { Answer } from '../support/client.ts';
import { type Gateway, startFakedGateway, startGateway } from '../support/harness.ts';
import { get, type Json } from '../support/rest.ts';

/** Every field that holds the URL of a file, wherever the service may embed its object. */
const document = `query ($company: ID!, $user: ID!, $payment: ID!) {
  company(id: $company) { ...files buyer { ...files } members { image } products { image } }
  entity(id: $company) { ...files }
  user(id: $user) { image default_entity { ...files } managing_entitys { ...files } }
  farmers(limit: 1) { results { ...files buyer { ...files } } }
  products(limit: 1) { results { image } }
  paymentTransaction(id: $payment) { ...paid }
  paymentTransactions(limit: 1) { results { ...paid } }
}
fragment files on Entity { id image }
fragment paid on PaymentTransaction { invoice transaction { invoice } }`;

/** Values of the key in an answer, each once. */
function valuesOf(key: string, json: Json): string[] {
  const found = new Set<string>();
  JSON.stringify(json, (name, value) => {
    if (name === key && value !== null) found.add(value);
    return value;
  });
  return [...found].sort();
}

async function world(gateway: Gateway, key: string) {
  const rest = (path: string) => get(gateway.sandbox, path, key);
  const [farmer] = (await rest('/supply-chains/farmers/?limit=1')).results;
  const { members } = await rest(`/supply-chains/companies/${farmer.buyer}/`);
  const [payment] = (await rest('/transactions/payment-transactions/?limit=1')).results;
  return { company: farmer.buyer, user: members[0], payment: payment.id };
}

describe.each(['spec', 'connect'] as const)('over the dialect %s', (dialect) => {
  const key = 'Bearer demo-coop';
  let gateway: Gateway;
  let ids: Awaited<ReturnType<typeof world>>;
  beforeAll(async () => {
    gateway = await startGateway({ sandbox: { dialect } });
    ids = await world(gateway, key);
  });
  afterAll(() => gateway.close());

  const upload = async (selection: string): Promise<Json> => {
    const operation = `mutation ($id: ID!, $file: Upload!) {
      uploadInvoice(payment_transaction: $id, invoice: $file) { ${selection} }
    }`;
    const answer = await gateway.upload(operation, { id: ids.payment, file: null }, new File(['%PDF'], 'a.pdf'), {
      key,
    });
    return ((await answer.json()) as Json).data.uploadInvoice;
  };

  test('each file has one URL in all answers, which loads', async () => {
    const uploaded = await upload('id invoice');
    const { data, errors } = await gateway.query(document, ids, { key });

    expect(errors).toEqual([]);
    const { origin } = new URL(gateway.sandbox.url);
    const pictures = ['cooperative', 'importer', 'person', 'product'].map(
      (name) => `${origin}/media/images/${name}.png`,
    );
    expect(valuesOf('image', data)).toEqual(pictures);
    expect(valuesOf('invoice', data)).toEqual([uploaded.invoice]);
    for (const url of [...pictures, uploaded.invoice]) expect((await fetch(url)).status, url).toBe(200);
  });

  test.each(['id invoice', 'id invoice method'])(
    'an upload that asks for %s gives the URL that a read gives',
    async (selection) => {
      const { invoice } = await upload(selection);
      const { data } = await gateway.query(document, ids, { key });
      expect(data.paymentTransaction.invoice).toBe(invoice);
    },
  );
});

test.each(['https://files.example', 'https://files.example/', 'http://files.example:8080/of/clients'])(
  'MEDIA_URL=%s begins every URL of the service',
  async (MEDIA_URL) => {
    await using gateway = await startGateway({ sandbox: { dialect: 'connect' }, settings: { MEDIA_URL } });
    const key = 'Bearer demo-coop';
    const { data } = await gateway.query(document, await world(gateway, key), { key });

    const base = MEDIA_URL.replace(/\/$/, '');
    const pictures = ['cooperative', 'importer', 'person', 'product'].map((name) => `${base}/media/images/${name}.png`);
    expect(valuesOf('image', data)).toEqual(pictures);
  },
);

test('a URL of the service is recognised by its host, whatever the scheme', async () => {
  await using gateway = await startFakedGateway({ MEDIA_URL: 'https://files.example' });
  const { host } = new URL(gateway.upstream.url);
  const imageOf = async (image: string): Promise<Answer['data']> => {
    gateway.upstream.respond = () => ({ body: JSON.stringify({ id: 'A', image }) });
    return (await gateway.query('{ company(id: "A") { image } }')).data.company.image;
  };

  for (const start of [`http://${host}`, `https://${host}`, `//${host}`, '']) {
    expect(await imageOf(`${start}/media/a.png?v=1`)).toBe('https://files.example/media/a.png?v=1');
  }
  for (const other of [
    `http://${host}0/media/a.png`,
    `https://a@${host}/a.png`,
    'https://bucket.example/a.png',
    'a.png',
  ]) {
    expect(await imageOf(other)).toBe(other);
  }
});

test('MEDIA_URL refuses anything but the base of URLs', () => {
  for (const MEDIA_URL of [
    'files.example',
    'ftp://files.example',
    'https://a:b@files.example',
    'https://a.example/?b',
    '',
  ]) {
    expect(() => readConfig({ MEDIA_URL }), MEDIA_URL).toThrow(/MEDIA_URL: must/);
  }
});
