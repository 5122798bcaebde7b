import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { buildIfMissing } from '../../packages/graphiql/serve.ts';
import { launchBrowser } from '../support/browser.ts';
import { startGateway } from '../support/harness.ts';
import { GraphiqlPage } from './graphiql-page.ts';

/** `npm run screenshots`: writes the pictures of the README into docs/images/, out of the real page over the sandbox. */

const folder = join(import.meta.dirname, '../../docs/images');
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
    await files.getByLabel('File for $invoice').setInputFiles(invoice);
    await files.getByRole('button', { name: 'Run with the file' }).click();
    await files.getByText('was sent').waitFor();
  });
} finally {
  await browser.close();
  await gateway.close();
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
