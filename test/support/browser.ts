import { existsSync } from 'node:fs';
import { type Browser, type BrowserServer, chromium } from 'playwright-core';

const executablePath = [
  process.env.CHROMIUM_PATH,
  // Without windows it takes half the CPU.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path && existsSync(path));

export const noBrowser = executablePath
  ? undefined
  : 'no Chromium found: "apt-get install chromium-headless-shell", or name one in CHROMIUM_PATH';

let started: Promise<BrowserServer> | undefined;

/**
 * Chromium without the services that call its maker. The files of a worker share one process, because starts and ends take
 * seconds. Closing the browser closes its own pages alone. Throws where none is installed.
 */
export async function launchBrowser(): Promise<Browser> {
  started ??= start();
  return chromium.connect((await started).wsEndpoint());
}

async function start(): Promise<BrowserServer> {
  if (!executablePath) throw new Error(noBrowser);
  const server = await chromium.launchServer({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Scripts run too briefly to gain from optimized code. Without it a visit of GraphiQL takes a sixth less CPU.
      '--js-flags=--single-threaded --max-lazy --no-opt --no-maglev',
    ],
  });
  // After a crash the next file starts another.
  server.once('close', () => {
    started = undefined;
  });
  return server;
}
