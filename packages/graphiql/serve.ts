import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import {
  type Handler,
  type OpenPart,
  pathOf,
  plainText,
  send,
  sendMethodNotAllowed,
  sendNotFound,
} from '@gateway/graphql-serve';
import type { Logger } from 'pino';
import sirv from 'sirv';

const bundle = join(import.meta.dirname, '../../dist/graphiql');
const template = join(bundle, 'index.html');

const notBuilt = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>GraphiQL is not built</title>
<p>GraphiQL is not built. Run <code>npm ci</code> without <code>--omit=dev</code>, then reload this page.
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

const pageHeaders = {
  ...securityHeaders,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  // The same address answers GraphQL over GET.
  vary: 'Accept, Origin',
};

/** A map, because `Headers` would load the undici of Node at the start, which takes 40 ms. */
const assetHeaders = new Map(
  Object.entries({
    ...securityHeaders,
    // The name of an asset changes with its content.
    'cache-control': 'public, max-age=31536000, immutable',
  }),
);

/** The pace of the sandbox; absent where the page cannot change it. */
export interface Pace {
  name(): string;
  /** False for a name that is no pace. */
  change(name: string): boolean;
}

export interface GraphiqlOptions {
  /** The page begins with this key, which every visitor sees. */
  demoKey?: string | undefined;
  pace?: Pace | undefined;
  /** Undefined where no user can sign in. `callerClaims`: tokens of equal claims are one caller. */
  signIn?: () => { callerClaims: boolean } | undefined;
}

const assetsPath = '/graphiql/assets/';
/** GET reads the pace, and PUT to this path and a name changes it. */
const pacePath = '/graphiql/pace/';

/** Serves the page to browsers that open the address of GraphQL, which it posts its operations to. */
export function graphiql({ demoKey, pace, signIn }: GraphiqlOptions): OpenPart {
  return ({ graph: { keyHeader } }) => {
    // "<" could end the script element that the text is put into.
    const config = () =>
      JSON.stringify({ keyHeader, demoKey, pace: pace?.name(), signIn: signIn?.() }).replaceAll('<', '\\u003c');
    return {
      page: (_request, response) => send(response, 200, pageHeaders, pageOf(config)),
      routes: [
        { path: assetsPath, handle: assetsHandler() },
        ...(pace ? [{ path: pacePath, handle: paceHandler(pace) }] : []),
      ],
    };
  };
}

/** Read each time: the bundle may be built while the gateway runs. */
function pageOf(config: () => string): string {
  if (!existsSync(template)) return notBuilt;
  return readFileSync(template, 'utf8').replace('id="graphiql-config">', (opening) => opening + config());
}

function assetsHandler(): Handler {
  const sendAsset = sirv(join(bundle, 'assets'), {
    // Looks for the file each time: the bundle may be built while the gateway runs.
    dev: true,
    etag: true,
    extensions: [],
    // The build leaves both beside each file. Browsers take Brotli over https and from this machine alone.
    brotli: true,
    gzip: true,
    setHeaders: (response) => response.setHeaders(assetHeaders),
  });
  return (request, response, { id }) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return sendMethodNotAllowed(response, 'GET, HEAD');
    response.setHeader('x-request-id', id);
    // sirv leaves a file open when its client leaves, and throws a read error where no caller can catch it.
    response.once('pipe', (file: Readable) => {
      file.once('error', () => response.destroy());
      response.once('close', () => file.destroy());
    });
    // sirv fails on ranges that end before they begin. An answer with the whole asset is allowed instead.
    delete request.headers.range;
    request.url = `/${pathOf(request).slice(assetsPath.length)}`;
    sendAsset(request, response, () => sendNotFound(response));
  };
}

/** Other sites cannot send a PUT, because the gateway answers no preflight of this path. */
function paceHandler(pace: Pace): Handler {
  return ({ method, url }, response) => {
    if (method === 'GET') send(response, 200, { ...plainText, 'cache-control': 'no-store' }, pace.name());
    else if (method !== 'PUT') sendMethodNotAllowed(response, 'GET, PUT');
    else if (pace.change(url?.slice(pacePath.length) ?? '')) send(response, 204, {}, '');
    else send(response, 400, plainText, 'The sandbox has the paces none, 50ms and real.\n');
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
    // An install with --omit=dev has no bundler.
    const reason = (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND' ? {} : { err: error };
    log.warn(reason, 'GraphiQL is not built: "npm ci" without --omit=dev builds it, and GRAPHIQL=false does without');
    return false;
  }
  return true;
}
