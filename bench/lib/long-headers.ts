import { Agent, request } from 'node:http';
import { freePort } from '../../test/support/free-port.ts';
import { cpuMilliseconds } from './process-tree.ts';
import { start, stop, until } from './processes.ts';
import { ask } from './running.ts';

/** The CPU milliseconds that a long value of a header adds to a request. */
export interface HeaderCost {
  header: string;
  ms: number;
}

/** Node lets 16 kB of headers through, the others of a request among them. */
const mostOfNode = 15_700;
/** The longest that the gateway parses: a token, and any other header. */
const parsed = [4_090, 1_000];

const document = '{ __typename }';
const body = JSON.stringify({ query: document });
interface Asked {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

const requests: Asked[] = [
  { method: 'POST', path: '/graphql', body },
  { method: 'GET', path: `/graphql?query=${encodeURIComponent(document)}` },
  { method: 'GET', path: '/media/pictures/none.png' },
];

/** Each header that the gateway reads, with a start that makes it read on. */
const starts: Record<string, string> = {
  accept: '',
  'accept-encoding': '',
  'accept-language': '',
  'access-control-request-method': '',
  'apollo-require-preflight': '',
  'auth-type': '',
  authorization: 'Bearer ',
  'cache-control': '',
  'content-encoding': '',
  'content-type': 'application/json;',
  'graphql-client-name': '',
  'graphql-client-version': '',
  host: 'a',
  'idempotency-key': '',
  'if-none-match': '',
  'if-range': '',
  origin: 'http://',
  range: 'bytes=',
  traceparent: '00-',
  tracestate: '',
  'x-request-id': '',
  'x-trace-upstream': '',
};

const repeatedTexts = ['a/b,', 'a;q=0.1,', 'a,', ',', ';', 'a=b;', ' a', '"', '\\"', '=', '-', 'a'];
const claims = ['0', '9e99', '{}', '""'];

/** A token of this many characters, whose claims are as many values as fit. */
function token(value: string, length: number): string {
  const text = `{"user_id":[${`${value},`.repeat((length * 0.74) / (value.length + 1) - 10)}0]}`;
  return `x.${Buffer.from(text).toString('base64url')}.x`;
}

function hostileValues(header: string, length: number): string[] {
  const start = starts[header] ?? '';
  const rests = repeatedTexts.map((text) => text.repeat(length).slice(0, length - start.length));
  if (header === 'authorization') rests.push(...claims.map((value) => token(value, length)));
  return rests.map((rest) => start + rest);
}

/** Addresses of any length, which a pattern could read again and again. */
const hostileAddresses = ['?', 'a?', 'a/', '%41', '%2e', ';'].flatMap((text) =>
  ['/graphql?query=', '/media/', '/media/a?', '/'].map((start) =>
    (start + text.repeat(mostOfNode)).slice(0, mostOfNode),
  ),
);

/** Starts a gateway that reads every header it can read, and sends it long ones. The dearest of each header, dearest first. */
export async function measureLongHeaders(upstreamUrl: string, times = 5): Promise<HeaderCost[]> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/graphql`;
  const gateway = start('long-headers', ['node', '../src/main.ts'], {
    PORT: String(port),
    UPSTREAM_URL: upstreamUrl,
    CALLER_CLAIMS: 'user_id',
    MEDIA_PROXY: 'true',
    MEDIA_URL: `http://127.0.0.1:${port}`,
    CORS_ORIGINS: '*',
    IDEMPOTENCY_FILE: ':memory:',
    LOG_LEVEL: 'error',
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    await until('The gateway', 30, async () => (await ask(url, document, 'demo-coop')).status === 200);
    // The least of three rounds: a collection of garbage or a compilation belongs to no request.
    const cost = async (asked: Asked) => {
      let least = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 3; round++) {
        const before = cpuMilliseconds(gateway.pid!);
        for (let sent = 0; sent < times; sent++) await send(port, agent, asked);
        least = Math.min(least, (cpuMilliseconds(gateway.pid!) - before) / times);
      }
      return least;
    };
    const dearest = new Map<string, number>();
    const measure = async (what: string, asked: Asked, usual: number) => {
      dearest.set(what, Math.max(dearest.get(what) ?? 0, (await cost(asked)) - usual));
    };
    for (const asked of requests) {
      for (let round = 0; round < 5; round++) await cost(asked);
      const usual = await cost(asked);
      for (const header of Object.keys(starts)) {
        for (const value of [mostOfNode, ...parsed].flatMap((length) => hostileValues(header, length))) {
          await measure(header, { ...asked, headers: { [header]: value } }, usual);
        }
      }
    }
    for (const address of hostileAddresses) {
      const headers = { authorization: 'demo-coop', 'apollo-require-preflight': 'true' };
      for (const path of [address, `${address}\x80`]) await measure('the address', { method: 'GET', path, headers }, 0);
    }
    const costs = [...dearest].map(([header, ms]) => ({ header, ms }));
    return costs.toSorted((one, other) => other.ms - one.ms);
  } finally {
    agent.destroy();
    await stop(gateway);
  }
}

function send(port: number, agent: Agent, { method, path, headers, body = '' }: Asked): Promise<void> {
  const ofBody = body && { 'content-type': 'application/json', 'content-length': String(body.length) };
  const options = { method, path, headers: { ...ofBody, ...headers }, agent, maxHeaderSize: 64 * 1024 };
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, ...options }, (answer) => answer.resume().once('end', resolve))
      .on('error', reject)
      .end(body);
  });
}
