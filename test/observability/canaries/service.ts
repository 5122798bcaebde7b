import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { startFakeUpstream } from '../../support/fake-upstream.ts';
import { canaries, host } from './values.ts';

/** A failure of the service. */
export type Fault = { name: string } & (
  | { status: number; body: string; type?: string }
  | { breaks: true }
  | { stalls: true }
);

export interface CanaryService {
  url: string;
  port: number;
  /** Makes all calls fail, except those whose path `succeeds` matches. */
  set(fault: Fault, succeeds?: RegExp): void;
  close(): Promise<void>;
}

const { key, cookie, forwarded, inside, other } = canaries;

/** An error page as frameworks write it, with private values. */
const trace = `Traceback (most recent call last):
  File "/srv/${inside}/views.py", line 12, in post
psycopg2.errors.UniqueViolation: DETAIL: Key (email)=(${other}) exists, at ${host}:5432
Authorization: Bearer ${key}; Cookie: ${cookie}; Auth-Type: ${forwarded}`;

const messages = {
  detail: trace,
  code: inside,
  first_name: [`http://${host}/${inside}/`, `SELECT * FROM ${inside} WHERE email = '${other}'`],
  [`/srv/${inside}`]: ['Wrong.'],
  card: { non_field_errors: [`The key ${key} is bad.`, `<${inside} object at 0x7f00>`] },
};

const bodies: Record<string, [type: string, text: string]> = {
  'JSON of fields': ['application/json', JSON.stringify({ ...messages, code: undefined })],
  'JSON of a detail': ['application/json', JSON.stringify({ detail: trace, code: inside, messages: [trace] })],
  'an envelope': [
    'application/json',
    JSON.stringify({ success: false, message: messages, detail: trace, data: { inside } }),
  ],
  HTML: ['text/html', `<html><h1>${inside}</h1><pre>${trace}</pre><a href="http://${host}/">${other}</a></html>`],
};

const statuses = [301, 304, 400, 401, 403, 404, 405, 409, 413, 415, 418, 422, 429, 500, 501, 502, 503, 504];

export const faults: readonly Fault[] = [
  ...statuses.flatMap((status) =>
    Object.entries(bodies).map(([what, [type, body]]) => ({ name: `${status} with ${what}`, status, type, body })),
  ),
  ...Object.entries({
    'half a JSON text': `{"id":"${inside}`,
    'no object': JSON.stringify([trace]),
    'a text': JSON.stringify(trace),
    'another page': bodies.HTML?.[1] ?? '',
    nothing: '',
    'an object of another kind': JSON.stringify({ inside, trace, results: inside, count: trace }),
    'rows that are none': JSON.stringify({ count: 3, results: [null, inside, [trace]] }),
    'rows without ids': JSON.stringify({ count: 1, results: [{ first_name: inside }] }),
    'values of other types': JSON.stringify({
      id: 'F1',
      first_name: { inside },
      name: [trace],
      count: 1,
      results: [{ id: 'F1', name: [trace], quantity: { inside }, creator: { inside }, source: [inside] }],
    }),
    'a refusal in an envelope': JSON.stringify({ success: false, message: messages, code: 400, data: {} }),
  }).map(([name, body]) => ({ name, status: 200, body })),
  { name: 'a connection that breaks', breaks: true },
  { name: 'silence', stalls: true },
];

/** The headers of a service that reveals too much. */
const headers = {
  server: inside,
  'www-authenticate': `Bearer realm="${inside}"`,
  location: `http://${host}/${inside}/?key=${key}`,
  'set-cookie': `session=${cookie}`,
  'x-debug': trace.replaceAll('\n', ' '),
};

/** Starts a service that fails in every way, and repeats in its answers whatever it has learnt. */
export async function startCanaryService(): Promise<CanaryService> {
  let fault: Fault = { name: 'nothing', status: 200, body: '{}' };
  let succeeds: RegExp | undefined;
  const upstream = await startFakeUpstream({
    host,
    respond({ path }) {
      if (succeeds?.test(path.replace(/\?.*/, ''))) return { body: JSON.stringify(good) };
      if (!('status' in fault)) return fault;
      const { status, type = 'application/json', body } = fault;
      return { status, headers: { ...headers, 'content-type': type }, body };
    },
  });
  return {
    url: upstream.url,
    port: Number(new URL(upstream.url).port),
    set(next, passes) {
      fault = next;
      succeeds = passes;
    },
    close: () => upstream.close(),
  };
}

/** One row that has the fields of every kind, with references to further objects. */
const row = { id: 'F1', first_name: 'Esi', creator: 'U1', product: 'P1', source: 'S1', parents: ['T1'] };
const good = { count: 1, next: null, previous: null, results: [row], ...row };

/** Starts a Redis that refuses each command of the gateway, and quotes the command. Resolves to its port. */
export async function startQuotingRedis(): Promise<{ port: number; close(): void }> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      for (const command of chunk.toString().split(/^(?=\*\d+\r$)/m)) {
        const quoted = command.replace(/\s+/g, ' ');
        socket.write(command.includes('graphql-gateway') ? `-ERR ${canaries.inside} for ${quoted}\r\n` : '+OK\r\n');
      }
    });
  });
  await once(server.listen(0, host), 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}
