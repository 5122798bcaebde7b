import { globSync, readFileSync } from 'node:fs';
import { check } from '@placemarkio/check-geojson';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type StepwiseService, startStepwiseService } from '../../packages/cost-report/stepwise-service.ts';
import type { SandboxOptions } from '../../packages/sandbox/index.ts';
import { costReport } from '../../src/commands/cost-report.ts';
import { readPage } from '../docs/pages.ts';
import { realCosts } from '../support/cost-profiles.ts';
import { withoutManyIds } from '../support/golden-calls.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { paths, readRest, readRows } from '../support/rest-reads.ts';

const page = readPage('examples/screens/README.md').text;
const read = (file: string) => readFileSync(new URL(`../../examples/screens/${file}`, import.meta.url), 'utf8');
const variables: Record<string, Record<string, unknown>> = JSON.parse(read('variables.json'));

// biome-ignore lint/suspicious/noExplicitAny: answers of the gateway
type Json = any;

let gateway: Gateway;
let service: StepwiseService;
/** A new gateway that plans for a real service. */
async function start(sandbox: SandboxOptions = {}) {
  gateway = await startGateway({
    sandbox,
    costs: realCosts,
    upstreamUrl: async (url) => {
      service = await startStepwiseService(url);
      return service.url;
    },
  });
  onTestFinished(async () => {
    await gateway.close();
    await service.close();
  });
}

/** The data of a screen, which has no errors, and its calls as the page writes them. */
async function show(file: string, others: object = {}): Promise<{ data: Json; calls: string }> {
  const document = read(file);
  const [, name = ''] = /^query (\w+)/m.exec(document) ?? [];
  const { data, errors } = await gateway.query(
    document,
    { ...variables[name], ...others },
    { key: 'Bearer demo-coop' },
  );
  expect(errors).toEqual([]);
  const calls = await service.takeCalls();
  return { data, calls: withoutManyIds(calls.map(({ wave, method, path }) => `${wave} ${method} ${path}\n`).join('')) };
}

/** The calls that the page has for a document. */
function callsOf(file: string): string {
  const [, calls = ''] = page.slice(page.lastIndexOf(`(${file})`)).match(/^```text\n([\s\S]*?)^```$/m) ?? [];
  return calls;
}

const names = (objects: { name: string }[]) => objects.map(({ name }) => name);

test('the page has the price of each document at the real pace', async () => {
  const printed: string[] = [];
  const output = { log: (text: string) => printed.push(text), error: (text: string) => printed.push(text) };
  const [, command = ''] = /npm run -s bill -- (.*)/.exec(page) ?? [];
  const args = command.split(' ').map((word) => word.replaceAll("'", ''));

  expect(await costReport(args, output)).toBe(0);
  expect(`${printed.join('\n')}\n`).toBe(page.match(/^```text\n(operation [\s\S]*?)^```$/m)?.[1]);
});

test('the page links each document, and the file of variables has its name', () => {
  const files = globSync('*.graphql', { cwd: new URL('../../examples/screens/', import.meta.url) });
  const operations = files.map((file) => /^query (\w+)/m.exec(read(file))?.[1]);

  expect(files.filter((file) => !page.includes(`(${file})`))).toEqual([]);
  expect(Object.keys(variables).toSorted()).toEqual(operations.toSorted());
});

test('the story of a lot has its way, and the farmers with their consent', async () => {
  await start();
  const { data, calls } = await show('lot-story.graphql');
  const { number, product, destination, origin } = data.productTransaction;

  const lot = await readRest(gateway, `${paths.productTransactions}${variables.LotStory!.id}/`);
  expect(number).toBe(lot.number);
  expect([product.name, product.image, destination.name]).not.toContain(null);
  expect(origin.lots.map((each: Json) => each.transaction_id)).toEqual([lot.id, ...lot.parents]);
  expect(origin.lots[0].parents).toEqual(lot.parents);
  const parents = await Promise.all(
    lot.parents.map((id: string) => readRest(gateway, `${paths.productTransactions}${id}/`)),
  );
  expect(origin.sources.map(({ quantity }: Json) => quantity)).toEqual(parents.map(({ quantity }) => quantity));
  for (const { entity } of origin.sources) {
    expect(entity).toMatchObject({
      name: expect.any(String),
      country: 'Indonesia',
      consent_status: expect.any(String),
    });
  }
  expect(origin.complete).toBe(true);
  expect(calls).toBe(callsOf('lot-story.graphql'));
});

test('stock and balance agree with the transactions of the company', async () => {
  await start();
  const { data, calls } = await show('stock-and-balance.graphql');
  const { company, productTransactionTotals, productTransactions } = data;

  const rows = await readRows(gateway, paths.productTransactions);
  const inStock = rows.filter(
    ({ destination, current_quantity }) => destination === variables.StockAndBalance!.company && +current_quantity > 0,
  );
  expect(company.balance.complete).toBe(true);
  const left = company.balance.products.reduce((sum: number, each: Json) => sum + Number(each.left), 0);
  expect(left).toBeCloseTo(inStock.reduce((sum, { current_quantity }) => sum + Number(current_quantity), 0));
  expect(productTransactionTotals.groups.reduce((sum: number, { count }: Json) => sum + count, 0)).toBe(rows.length);
  expect(productTransactions.count).toBe(inStock.length);
  expect(productTransactions.results).toHaveLength(10);
  expect(names(productTransactions.results.map(({ source }: Json) => source))).not.toContain(null);
  expect(calls).toBe(callsOf('stock-and-balance.graphql'));
});

test('the balance of many transactions says where it stops', async () => {
  await start({ seed: { productTransactions: 1_000 } });
  const { company, productTransactionTotals } = (await show('stock-and-balance.graphql')).data;

  expect(company.balance).toMatchObject({
    complete: false,
    reason: expect.stringContaining('newest 800 of 1,000 rows'),
  });
  expect(productTransactionTotals.complete).toBe(false);
});

test('the due diligence file is GeoJSON of the farmers behind a shipment', async () => {
  await start();
  const { data, calls } = await show('due-diligence.graphql');
  const request = { query: read('due-diligence.graphql'), variables: variables.DueDiligence };
  const { text } = await gateway.ask(request, { headers: { accept: 'application/geo+json' } });

  const { features, $end }: Json = check(text);
  const farmers = data.productTransaction.origin.sources.map(({ entity }: Json) => entity);
  expect(features.map(({ properties }: Json) => properties.ProducerName)).toEqual(names(farmers));
  expect(features.map(({ geometry }: Json) => geometry.coordinates)).toEqual(
    farmers.map(({ longitude, latitude }: Json) => [longitude, latitude]),
  );
  expect($end).toMatchObject({ complete: true, objects: farmers.length });
  expect(calls).toBe(callsOf('due-diligence.graphql'));
});

test('the tap of a card shows its holder, and the next tap is one GET', async () => {
  await start();
  const { data, calls } = await show('card-tap.graphql');
  const { holder, complete } = data.cardHolder;
  const farmer = await readRest(gateway, `${paths.farmers}${holder.id}/`);

  expect(farmer.entity_card.card.card_id).toBe(String(variables.CardTap!.card_id).replaceAll(':', ''));
  expect(holder).toMatchObject({ __typename: 'Farmer', phone: farmer.phone, number: farmer.number });
  expect(complete).toBe(true);
  expect(calls).toBe(callsOf('card-tap.graphql'));
  expect((await show('card-tap.graphql')).calls).toBe(`1 GET ${paths.farmers}${holder.id}/\n`);
});

describe('a day’s sync', () => {
  const sale = variables.LotStory!.id as string;
  const remove = async () => {
    const { ok } = await fetch(`${gateway.sandbox.url}${paths.productTransactions}${sale}/`, {
      method: 'DELETE',
      headers: { authorization: 'Bearer demo-coop' },
    });
    expect(ok).toBe(true);
  };
  const changed = ({ data }: { data: Json }) => data.productTransactions.results.map(({ id }: Json) => id);

  test('asks first in one wave, and reads what has changed', async () => {
    await start();
    const asked = await show('anything-new.graphql');
    const later = await show('anything-new.graphql', { since: asked.data.serverTime });
    const changes = await show('changes.graphql');

    expect(asked.calls).toBe(callsOf('anything-new.graphql'));
    expect(later.data).toMatchObject({ farmers: { count: 0 }, productTransactions: { count: 0 } });
    expect(changed(changes)).toHaveLength(asked.data.productTransactions.count);
    expect(changes.data.productTransactions.next).toBeNull();
    expect(changes.calls).toBe(callsOf('changes.graphql'));
  });

  test('sees by the counts that a row is gone, where the service does not mark it', async () => {
    await start();
    const before = await show('anything-new.graphql');
    await remove();
    const { data } = await show('anything-new.graphql', { since: before.data.serverTime });

    expect(data.productTransactions.count).toBe(0);
    expect(data.allTransactions.count).toBe(before.data.allTransactions.count - 1);
  });

  test('has the deleted row where the service marks it', async () => {
    await start({ dialect: 'connect' });
    const { data } = await show('anything-new.graphql', { deleted: true });
    await remove();
    const since = { since: data.serverTime, deleted: true };
    const { data: news } = await show('anything-new.graphql', since);
    const { data: changes } = await show('changes.graphql', since);

    expect(news.productTransactions.count).toBe(1);
    expect(changes.productTransactions.results).toMatchObject([{ id: sale, is_deleted: true }]);
  });
});
