import { expect, test } from 'vitest';
import { clientOf, disposableSandbox, first, idOf, results, second } from './client.ts';

const sandbox = await disposableSandbox();
const coop = clientOf(sandbox);
const buyer = clientOf(sandbox, 'Bearer demo-buyer');
const farmers = '/supply-chains/farmers/';
const transactions = '/transactions/product-transactions/';
const seconds = (time: unknown) => Date.parse(String(time)) / 1000;

test('gives a page of ten rows, with the count of all and absolute links', async () => {
  const { body } = await coop.get(`${farmers}?last_name=&first_name=a`);
  expect(body.results).toHaveLength(10);
  expect(body.previous).toBeNull();
  expect(body.next).toBe(`${sandbox.url}${farmers}?first_name=a&last_name=&limit=10&offset=10`);
  const next = await fetch(String(body.next), { headers: { authorization: 'demo-coop' } });
  expect(await next.json()).toMatchObject({
    count: body.count,
    previous: `${sandbox.url}${farmers}?first_name=a&last_name=&limit=10`,
  });
});

test('gives each row once over all pages', async () => {
  const offsets = Array.from({ length: 7 }, (_, page) => page * 100);
  const pages = await Promise.all(offsets.map((offset) => coop.get(`${transactions}?limit=100&offset=${offset}`)));
  const ids = new Set(pages.flatMap((page) => results(page).map(idOf)));
  expect(ids.size).toBe(600);
  expect(pages[0]?.body.count).toBe(600);
  expect(pages.at(-1)?.body).toMatchObject({ next: null, results: [] });
});

test.each([
  ['limit=0', 10],
  ['limit=-5', 10],
  ['limit=many&offset=x', 10],
  ['limit=5000', 100],
  ['offset=100000', 0],
])('answers %s with %i rows', async (query, rows) => {
  expect(results(await coop.get(`${farmers}?${query}`))).toHaveLength(rows);
});

test('caps the limit by maxPageSize, in the link too', async () => {
  const small = clientOf(await disposableSandbox({ maxPageSize: 7 }));
  const { body } = await small.get(`${farmers}?limit=50`);
  expect(body.results).toHaveLength(7);
  expect(body.next).toMatch(/limit=7&offset=7$/);
});

test('filters farmers by parts of names and number, in any case', async () => {
  const found = results(await coop.get(`${farmers}?limit=100&last_name=ɔPOK`));
  expect(found.length).toBeGreaterThan(0);
  expect(new Set(found.map(({ last_name }) => last_name))).toEqual(new Set(['Ɔpoku']));
  const [one] = results(await coop.get(`${farmers}?first_name=dewi&limit=1`));
  expect(one?.first_name).toBe('Dewi');
  const { body } = await coop.get(`${farmers}?number=${one?.number}`);
  expect(body).toMatchObject({ count: 1, results: [{ id: one?.id }] });
});

test('filters farmers by creation and update, strictly after the microsecond', async () => {
  const [, middle] = results(await coop.get(`${farmers}?limit=1&offset=120`)).concat(
    results(await coop.get(`${farmers}?limit=1&offset=121`)),
  );
  const all = results(await coop.get(`${farmers}?limit=100`))
    .concat(results(await coop.get(`${farmers}?limit=100&offset=100`)))
    .concat(results(await coop.get(`${farmers}?limit=100&offset=200`)));
  for (const [filter, field] of [
    ['created_after', 'created_on'],
    ['updated_after', 'updated_on'],
  ] as const) {
    const edge = String(middle?.[field]);
    const later = all.filter((farmer) => String(farmer[field]) > edge);
    const exact = seconds(edge.slice(0, 19).concat('Z')) + Number(edge.slice(19, 26));
    expect((await coop.get(`${farmers}?${filter}=${exact}`)).body.count, filter).toBe(later.length);
  }
});

test('filters products by part of the name, whole description and time of update', async () => {
  expect((await coop.get('/catalogs/products/?name=COCOA')).body.count).toBe(3);
  const exact = encodeURIComponent('Shelled, ABCD grade');
  expect(results(await coop.get(`/catalogs/products/?description=${exact}`))).toMatchObject([{ name: 'Nutmeg' }]);
  expect((await coop.get('/catalogs/products/?description=ABCD')).body.count).toBe(0);
  expect((await coop.get('/catalogs/products/?updated_after=1893456000')).body.count).toBe(0);
});

test('lists 150 currencies by name, and searches each word in name and code', async () => {
  const { body } = await coop.get('/catalogs/currencies/?limit=100');
  expect(body.count).toBe(150);
  const inOrder = (body.results as { name: string }[]).map(({ name }) => name);
  expect(inOrder[0]).toBe('Afghan Afghani');
  expect(results(await coop.get('/catalogs/currencies/?search=fra%20cfa'))).toMatchObject([
    { code: 'XAF' },
    { code: 'XOF' },
  ]);
  expect(results(await coop.get('/catalogs/currencies/?search=eur'))).toMatchObject([{ name: 'Euro' }]);
});

test('filters product transactions by time and by remaining quantity', async () => {
  const [newest] = results(await coop.get(`${transactions}?limit=1`));
  const since = Math.floor(seconds(newest?.created_on));
  expect((await coop.get(`${transactions}?created_after=${since}`)).body.count).toBe(1);
  expect((await coop.get(`${transactions}?updated_before=${since}`)).body.count).toBe(599);
  expect((await coop.get(`${transactions}?updated_after=${since + 1}`)).body.count).toBe(0);
  const left = results(await coop.get(`${transactions}?only_quantity_available=true&limit=100`));
  for (const transaction of left) {
    expect(transaction).toMatchObject({ destination: first, current_quantity: transaction.quantity });
  }
  expect((await coop.get(`${transactions}?only_quantity_available=perhaps`)).body.count).toBe(600);
});

test('lists the newest transaction first', async () => {
  const times = results(await coop.get(`${transactions}?limit=100`)).map(({ created_on }) => String(created_on));
  expect(times).toEqual(times.toSorted().toReversed());
});

test('shows each key the farmers, products and transactions of its company', async () => {
  expect((await coop.get(farmers)).body.count).toBe(240);
  expect((await buyer.get(farmers)).body.count).toBe(12);
  const [theirs] = results(await buyer.get(farmers));
  expect((await coop.get(`${farmers}${idOf(theirs)}/`)).status).toBe(404);
  expect((await buyer.get(`${farmers}${idOf(theirs)}/`)).status).toBe(200);

  const productNames = async (key: typeof coop) =>
    results(await key.get('/catalogs/products/?limit=50')).map(({ name }) => name);
  expect(await productNames(coop)).toContain('Shea nuts');
  expect(await productNames(buyer)).not.toContain('Shea nuts');

  const [direct] = results(await buyer.get(`${transactions}?limit=100`)).filter(({ source }) => source !== first);
  expect((await coop.get(`${transactions}${idOf(direct)}/`)).status).toBe(404);
});

test('shows a shipment to its source as OUTGOING and to its destination as INCOMING', async () => {
  const shipped = results(await buyer.get(`${transactions}?limit=100`)).find(({ source }) => source === first);
  expect(shipped).toMatchObject({ type: 'INCOMING', destination: second });
  const { body } = await coop.get(`${transactions}${idOf(shipped)}/`);
  expect(body).toMatchObject({ type: 'OUTGOING', id: shipped?.id });
  for (const parent of body.parents as string[]) {
    expect((await coop.get(`${transactions}${parent}/`)).body).toMatchObject({
      destination: first,
      current_quantity: '0.000',
    });
    expect((await buyer.get(`${transactions}${parent}/`)).status).toBe(404);
  }
});

test('shows every company and every user to every key', async () => {
  expect((await buyer.get(`/supply-chains/companies/${first}/`)).status).toBe(200);
  expect((await buyer.get(`/accounts/users/${first}/`)).status).toBe(200);
});
