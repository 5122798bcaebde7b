import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import sirv from 'sirv';

const bundle = join(import.meta.dirname, '../../dist/graphiql');
const template = join(bundle, 'index.html');

const notBuilt = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>GraphiQL is not built</title>
<p>GraphiQL is not built. Run <code>npm install</code> and <code>npm run build:graphiql</code>, then reload this page.
`;

/**
 * Headers of the page and of all files that the page loads. Monaco writes style attributes, which can have neither a nonce
 * nor a known hash. The headers therefore allow all inline styles.
 */
const securityHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "worker-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const assetHeaders = new Headers({
  ...securityHeaders,
  // The name of an asset changes with its content.
  'cache-control': 'public, max-age=31536000, immutable',
});

export interface Graphiql {
  /** The page as HTML; it posts its operations to the address it was loaded from. */
  page(): string;
  /** The headers that go with the page, its content type among them. */
  headers: Record<string, string>;
  /** The path under which the page finds its assets, with a slash at its end. */
  assets: string;
  /** GET `pacePath` reads it, and PUT to `pacePath` and a name changes it. */
  pace: Pace | undefined;
  pacePath: string;
  /** Answers a GET or HEAD of an asset. Calls `notFound` for a name without an asset. */
  sendAsset(name: string, request: IncomingMessage, response: ServerResponse, notFound: () => void): void;
}

/** The pace of the sandbox; absent where the page cannot change it. */
export interface Pace {
  name(): string;
  /** False for a name that is no pace. */
  change(name: string): boolean;
}

export interface GraphiqlOptions {
  /** The header of the API key. */
  keyHeader: string;
  /** The page begins with this key, which every visitor sees. */
  demoKey?: string | undefined;
  pace?: Pace | undefined;
}

export function openGraphiql({ keyHeader, demoKey, pace }: GraphiqlOptions): Graphiql {
  const send = sirv(join(bundle, 'assets'), {
    // Looks for the file each time: the bundle may be built while the gateway runs.
    dev: true,
    etag: true,
    extensions: [],
    // The build leaves both beside each file. Browsers take Brotli over https and from this machine alone.
    brotli: true,
    gzip: true,
    setHeaders: (response) => response.setHeaders(assetHeaders),
  });
  // "<" could end the script element that the text is put into.
  const config = () => JSON.stringify({ keyHeader, demoKey, pace: pace?.name() }).replaceAll('<', '\\u003c');
  return {
    page() {
      // Read each time: the bundle may be built while the gateway runs.
      if (!existsSync(template)) return notBuilt;
      return readFileSync(template, 'utf8').replace('id="graphiql-config">', (opening) => opening + config());
    },
    headers: {
      ...securityHeaders,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      // The same address answers GraphQL over GET.
      vary: 'Accept, Origin',
    },
    assets: '/graphiql/assets/',
    pace,
    pacePath: '/graphiql/pace/',
    sendAsset(name, request, response, notFound) {
      // sirv leaves a file open when its client leaves, and throws a read error where no caller can catch it.
      response.once('pipe', (file: Readable) => {
        file.once('error', () => response.destroy());
        response.once('close', () => file.destroy());
      });
      // sirv fails on ranges that end before they begin. An answer with the whole asset is allowed instead.
      delete request.headers.range;
      request.url = `/${name}`;
      send(request, response, notFound);
    },
  };
}

/**
 * Builds the bundle where it is missing, in about four seconds. Never throws: the gateway serves without the page.
 * A child process separates the bundler's memory from the gateway, and its NODE_ENV, which selects React's build.
 * Returns true where the bundle is there.
 */
export async function buildIfMissing(log: Pick<Logger, 'info' | 'warn'>): Promise<boolean> {
  if (existsSync(template)) return true;
  try {
    const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
    log.info('Building GraphiQL');
    const unfinished = `${bundle}-${randomUUID()}`;
    try {
      const config = join(import.meta.dirname, 'vite.config.ts');
      const args = [vite, 'build', '--config', config, '--outDir', unfinished, '--logLevel', 'error'];
      await promisify(execFile)(process.execPath, args, { env: { NODE_ENV: 'production' } });
      await rename(unfinished, bundle);
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  } catch (error) {
    // Another process that started at the same time may have built an equal bundle.
    if (existsSync(template)) return true;
    log.warn({ err: error }, 'GraphiQL is not built; "npm run build:graphiql" builds it');
    return false;
  }
  return true;
}
