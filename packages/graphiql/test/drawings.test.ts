import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../../test/support/browser.ts';
import { type Gateway, startGateway } from '../../../test/support/harness.ts';
import { mapView, positionText } from '../map-view.ts';
import { placesIn } from '../places-in-answer.ts';
import { buildIfMissing } from '../serve.ts';
import { traceIn } from '../trace-in-answer.ts';
import { traceKeys, traceLayout } from '../trace-layout.ts';
import { GraphiqlPage, skipBrowser } from './graphiql-page.ts';

const ring = [
  [-1.61, 6.7],
  [-1.6, 6.7],
  [-1.6, 6.71],
  [-1.61, 6.7],
];

describe('the places of an answer', () => {
  test('are its objects with both numbers, each once, however deep they stand', () => {
    const esi = { id: 'a', name: 'Esi', latitude: 6.72, longitude: -1.47 };
    const plots = [{ type: 'Feature', geometry: { type: 'Polygon', coordinates: [ring] } }];
    const found = placesIn({
      farmers: { results: [esi, { latitude: 1, longitude: 0 }] },
      sales: [{ source: esi }, { source: { id: 'b', latitude: 0, longitude: 0, plots } }],
      others: [
        { id: 'c', name: 'Kofi', latitude: 0, longitude: 0 },
        { id: 'd', latitude: null, longitude: 2 },
        { latitude: 3 },
      ],
    });
    expect(found.places).toEqual([
      { key: 'a', name: 'Esi', at: [-1.47, 6.72], rings: [] },
      { key: 'farmers.results.1', name: 'farmers.results.1', at: [0, 1], rings: [] },
      { key: 'b', name: 'b', at: [-1.61, 6.7], rings: [ring] },
    ]);
    expect(found.without).toEqual(['Kofi', 'd']);
    expect(placesIn(undefined)).toEqual({ places: [], without: [] });
  });

  test('lie inside the map, north up and east to the right, with lines of whole steps', () => {
    const place = (longitude: number, latitude: number) => ({
      key: `${longitude}`,
      name: '',
      at: [longitude, latitude] as const,
      rings: [],
    });
    for (const places of [
      [place(-1.47, 6.72)],
      [place(29.35, -2.06), place(96.87, 4.75), place(-1.47, 6.72)],
      [place(-179, -80), place(179, 80)],
    ]) {
      const { point, width, height, meridians, parallels } = mapView(places);
      const points = places.map(({ at }) => ({ at, ...point(at) }));
      for (const { x, y } of points) {
        expect(x).toBeGreaterThan(0);
        expect(x).toBeLessThan(width);
        expect(y).toBeGreaterThan(0);
        expect(y).toBeLessThan(height);
      }
      const eastwards = points.toSorted((a, b) => a.at[0] - b.at[0]);
      expect(points.toSorted((a, b) => a.x - b.x)).toEqual(eastwards);
      const northwards = points.toSorted((a, b) => a.at[1] - b.at[1]);
      expect(points.toSorted((a, b) => b.y - a.y)).toEqual(northwards);
      expect(meridians.length + parallels.length).toBeGreaterThan(1);
    }
    const [, second] = mapView([place(10, 0), place(40, 20)]).meridians;
    expect(second?.label).toMatch(/^\d+°E$/);
    expect(positionText([-1.473512, 6.72])).toBe('6.72° N, 1.473512° W');
  });
});

/** The lot `sold` was mixed out of two lots, which share a parent. */
const origin = {
  complete: false,
  reason: 'The lots are deeper than 2 steps.',
  lots: [
    {
      transaction: { id: 'sold', number: '1044', product: { name: 'Cocoa' }, quantity: '30.000' },
      depth: 0,
      parents: ['left', 'right'],
      children: [],
    },
    { transaction: null, transaction_id: 'left', depth: 1, parents: ['shared'], children: ['sold'] },
    { transaction: { id: 'right' }, depth: 1, parents: ['shared', 'elsewhere'], children: ['sold'] },
    { transaction: { id: 'shared' }, depth: 2, parents: ['deeper'], children: ['left', 'right'] },
  ],
  sources: [{ entity: { id: 'esi', name: 'Esi Mensah' }, lots: ['shared'], quantity: '12.500' }],
  destinations: [{ entity_id: 'buyer', lots: ['sold'], quantity: null }],
};

describe('the trace of an answer', () => {
  test('has the lots and those who gave and received them, and arrows between all that it shows', () => {
    const answer = { productTransaction: { origin } };
    const before = JSON.stringify(answer);
    const trace = traceIn(answer)!;
    expect(trace.boxes.map(({ key, title, note, step, from, to }) => [key, title, note, step, from, to])).toEqual([
      ['sold', '1044', 'Cocoa · 30.000', 0, ['left', 'right'], ['destination buyer']],
      ['left', 'left', '', -1, ['shared'], ['sold']],
      ['right', 'right', '', -1, ['shared'], ['sold']],
      ['shared', 'shared', '', -2, ['source esi'], ['left', 'right']],
      ['source esi', 'Esi Mensah', '12.500', -3, [], ['shared']],
      ['destination buyer', 'buyer', '', 1, ['sold'], []],
    ]);
    expect(trace.reason).toBe('The lots are deeper than 2 steps.');
    expect(JSON.stringify(answer)).toBe(before);
    expect(traceIn({ farmers: { results: [{ lots: 4 }] } })).toBeUndefined();
    expect(traceIn({ lots: [{ depth: 1 }] })).toBeUndefined();
  });

  test('leads from left to right, of an origin and of a use', () => {
    const columns = (answer: unknown) => traceLayout(traceIn(answer)!).boxes.map(({ key, column }) => [key, column]);
    expect(columns(origin)).toEqual([
      ['source esi', 0],
      ['shared', 1],
      ['left', 2],
      ['right', 2],
      ['sold', 3],
      ['destination buyer', 4],
    ]);
    const use = {
      lots: [
        { transaction_id: 'harvest', depth: 0, parents: [], children: ['sold'] },
        { transaction_id: 'sold', depth: 1, parents: ['harvest'], children: [] },
      ],
      destinations: [{ entity_id: 'buyer', lots: ['sold'] }],
    };
    expect(columns(use)).toEqual([
      ['harvest', 0],
      ['sold', 1],
      ['destination buyer', 2],
    ]);
  });

  test('arrow keys follow the goods', () => {
    const { boxes, arrows } = traceLayout(traceIn(origin)!);
    const next = traceKeys(boxes);
    const at = (key: string) => boxes.findIndex((box) => box.key === key);
    expect(next('ArrowRight', at('shared'))).toBe(at('left'));
    expect(next('ArrowDown', at('left'))).toBe(at('right'));
    expect(next('ArrowDown', at('right'))).toBe(at('right'));
    expect(next('ArrowRight', at('right'))).toBe(at('sold'));
    expect(next('ArrowRight', at('destination buyer'))).toBeUndefined();
    expect(next('ArrowLeft', at('sold'))).toBe(at('left'));
    expect(next('Home', at('sold'))).toBe(0);
    expect(next('Tab', 0)).toBeUndefined();
    expect(arrows.map(({ key }) => key)).toEqual([
      'source esi shared',
      'shared left',
      'shared right',
      'left sold',
      'right sold',
      'sold destination buyer',
    ]);
  });
});

// Megabytes of script take their time where many tests run at once.
describe.skipIf(skipBrowser)('in GraphiQL', { timeout: 60_000 }, () => {
  let gateway: Gateway;
  let browser: Browser;
  let graphiql: GraphiqlPage;

  beforeAll(async () => {
    await buildIfMissing(console);
    gateway = await startGateway({ sandbox: { dialect: 'connect' } });
    browser = await launchBrowser();
    graphiql = await GraphiqlPage.new(browser, gateway.url);
    await graphiql.open();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });
  afterEach(() => expect(graphiql.complaints).toEqual([]));

  const rows = (panel: Locator) => panel.locator('tbody tr').allInnerTexts();

  test('Map draws the farmers of an answer, and leads through them by keyboard', async () => {
    const { data } = await gateway.query(
      '{ farmers(first: 3) { results { id name latitude longitude plots } } }',
      {},
      { key: 'Bearer demo-coop' },
    );
    const farmers: { name: string; latitude: number; longitude: number; plots: object[] }[] = data.farmers.results;
    const map = await graphiql.panel('Map');
    await map.getByText('selects latitude and longitude').waitFor();
    await graphiql.typeInNewTab('{ farmers(first: 3) { results { id name latitude longitude plots } } }');
    await graphiql.run();

    await map.getByText('3 places.').waitFor();
    const texts = farmers.map(({ latitude, longitude }) => positionText([longitude, latitude]));
    const listed = await rows(map);
    for (const [index, { name }] of farmers.entries()) {
      expect(listed[index]).toContain(name);
      expect(listed[index]).toContain(texts[index]);
    }
    const focused = () => graphiql.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await map.getByRole('button', { name: `${farmers[0]!.name}, ${texts[0]}` }).focus();
    await graphiql.page.keyboard.press('ArrowRight');
    expect(await focused()).toBe(`${farmers[1]!.name}, ${texts[1]}`);
    expect(await map.locator('tr.gateway-marked').innerText()).toContain(farmers[1]!.name);
    await graphiql.page.keyboard.press('End');
    expect(await focused()).toBe(`${farmers[2]!.name}, ${texts[2]}`);
    // One stop of the Tab key for the whole drawing.
    expect(await map.locator('[data-item][tabindex="0"]').count()).toBe(1);
    expect(await map.locator('.gateway-grid').count()).toBeGreaterThan(1);
    const drawn = await map
      .locator('.gateway-land')
      .evaluateAll((paths) => paths.filter((path) => path.getAttribute('d')).length);
    expect(drawn).toBe(farmers.filter(({ plots }) => plots.length > 0).length);
  });

  test('Graph draws the origin of a lot from left to right, and the same as a table', async () => {
    const key = 'Bearer demo-coop';
    const list = await gateway.query(
      '{ productTransactions(first: 500) { results { id parents { id } } } }',
      {},
      { key },
    );
    const { id } = list.data.productTransactions.results.find((row: { parents: object[] }) => row.parents.length > 1);
    const query = `query Origin { productTransaction(id: "${id}") { origin { lots { transaction_id depth parents children } sources { entity { id name } lots } complete } } }`;
    const { data } = await gateway.query(query, {}, { key });
    const { lots, sources } = data.productTransaction.origin;
    const graph = await graphiql.panel('Graph');
    await graph.getByText('selects a trace').waitFor();
    await graphiql.typeInNewTab(query);
    await graphiql.run();

    await graph.getByText(new RegExp(`^${lots.length} lots from ${sources.length} sources?`)).waitFor();
    const listed = (await rows(graph)).map((row) => row.split('\t').map((cell) => cell.trim()));
    expect(listed.map(([name]) => name).toSorted()).toEqual(
      [
        ...lots.map((lot: { transaction_id: string }) => lot.transaction_id),
        ...sources.map(({ entity }: { entity: { name: string } }) => entity.name),
      ].toSorted(),
    );
    expect(listed.at(-1)?.slice(0, 2)).toEqual([id, '0']);
    const edges = lots.flatMap(({ parents }: { parents: string[] }) => parents).length;
    const given = sources.flatMap((source: { lots: string[] }) => source.lots).length;
    expect(await graph.locator('.gateway-arrow').count()).toBe(edges + given);

    // From the first source, the goods lead to the lot itself.
    await graph.locator('[data-item]').first().focus();
    const steps = 1 + Math.max(...lots.map(({ depth }: { depth: number }) => depth));
    for (let step = 0; step < steps; step += 1) await graphiql.page.keyboard.press('ArrowRight');
    expect(await graphiql.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(id);
    expect(await graph.locator('tr.gateway-marked').innerText()).toContain(id);
  });
});
