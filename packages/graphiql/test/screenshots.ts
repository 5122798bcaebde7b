import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { GeoJsonObject } from 'geojson';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../../test/support/browser.ts';
import { startGateway } from '../../../test/support/harness.ts';
import { buildIfMissing } from '../serve.ts';
import { GraphiqlPage } from './graphiql-page.ts';

/** `npm run screenshots`: writes the pictures of the README into docs/images/, out of the real page over the sandbox. */

const folder = join(import.meta.dirname, '../../../docs/images');
const size = { viewport: { width: 1240, height: 640 } };

await mkdir(folder, { recursive: true });
await buildIfMissing(console);
const gateway = await startGateway({ switchesPace: true, costs: 'learnt' });
const browser = await launchBrowser();
try {
  await picture('graphiql-upstream', 'light', async (graphiql) => {
    await graphiql.page.getByLabel('Sandbox').selectOption('real');
    await graphiql.run();
    await graphiql.total.getByText('calls').click();
    await graphiql.estimate.waitFor();
  });
  await picture('graphiql-files', 'dark', async (graphiql) => {
    await graphiql.openExample('Upload an invoice');
    const files = await graphiql.panel('Files');
    const invoice = { name: 'invoice-118.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(48_213) };
    invoice.buffer.write('%PDF-1.7');
    await files.getByLabel('File for $invoice').setInputFiles(invoice);
    await files.getByRole('button', { name: 'Run with the file' }).click();
    await files.getByText('was sent').waitFor();
  });
  await mapPicture();
} finally {
  await browser.close();
  await gateway.close();
}
// The process of the browser goes on for the next test.
process.exit();

/** The GeoJSON of a province on a page with Leaflet. Without tiles, the page loads nothing from other sites. */
async function mapPicture(): Promise<void> {
  await using newer = await startGateway({ sandbox: { dialect: 'connect' } });
  const query = '{ farmers { results { id name latitude longitude plots country province sub_province city } } }';
  const headers = { accept: 'application/geo+json' };
  const { text } = await newer.ask({ query }, { key: 'Bearer demo-coop', headers });
  const page = await browser.newPage({ viewport: { width: 600, height: 320 } });
  const leaflet = (file: string) => createRequire(import.meta.url).resolve(`leaflet/dist/${file}`);
  await page.setContent(
    '<!doctype html><div id="map" style="position: absolute; inset: 0; background: #eef2ea"></div>',
  );
  await page.addStyleTag({ path: leaflet('leaflet.css') });
  await page.addScriptTag({ path: leaflet('leaflet.js') });
  await page.evaluate(drawMap, JSON.parse(text));
  await page.screenshot({ path: join(folder, 'map-leaflet.png'), animations: 'disabled' });
  await page.close();
}

/** Runs in the page. */
function drawMap(geoJson: GeoJsonObject): void {
  const { L }: { L: typeof import('leaflet') } = Object(window);
  const map = L.map('map', { zoomControl: false, attributionControl: false });
  L.control.scale({ imperial: false }).addTo(map);
  const all = L.geoJSON(geoJson, {
    pointToLayer: (_feature, at) => L.circleMarker(at, { radius: 4, weight: 1, fillOpacity: 0.6 }),
    style: { color: '#2f6b3a', weight: 2 },
  }).addTo(map);
  const [, second] = all.getLayers().filter((layer) => 'getBounds' in layer) as import('leaflet').Polygon[];
  if (!second) throw new Error('The sandbox has no polygon.');
  map.setView(second.getBounds().getCenter(), 12);
  const { ProducerName, ProducerCountry, ProductionPlace, Area } = second.feature?.properties ?? {};
  const text = `<b>${ProducerName}</b><br>${ProductionPlace}, ${ProducerCountry}<br>${Area} ha`;
  second.bindPopup(text, { closeButton: false, autoPan: false }).openPopup();
}

async function picture(name: string, colorScheme: 'light' | 'dark', act: (graphiql: GraphiqlPage) => Promise<void>) {
  const graphiql = await GraphiqlPage.new(browser, gateway.url, { ...size, colorScheme });
  await graphiql.open();
  await act(graphiql);
  await hasSettled(graphiql.page);
  await graphiql.page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled', caret: 'hide' });
  await graphiql.close();
}

/** The pointer shows no tooltip, and fonts and colours of the editors are there. */
async function hasSettled(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await page.waitForFunction(() => document.fonts.status === 'loaded');
  await page.waitForLoadState('networkidle');
}
