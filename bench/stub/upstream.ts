/**
 * A fast stub of the REST service, so that the gateway dominates what a benchmark measures.
 *
 *     node stub/upstream.ts [--port 4001] [--latency 0] [--max-limit 100]
 *
 * `--latency` is milliseconds before each answer, `--max-limit` the longest page. GET /__control/calls answers the calls
 * of each endpoint since its last call. After GET /__control/change, digits inside each row differ from answer to answer.
 */
import http, { type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import { cards, currencies, entityCards, products } from './catalogs.ts';
import { companies, farmers } from './entities.ts';
import { payments, transactions } from './transactions.ts';
import { users } from './users.ts';

const { values: options } = parseArgs({
  options: {
    port: { type: 'string', default: '4001' },
    latency: { type: 'string', default: '0' },
    'max-limit': { type: 'string', default: '100' },
  },
});
const port = Number(options.port);
const latency = Number(options.latency);
const maxLimit = Number(options['max-limit']);
const defaultLimit = 10;
let answers = 0;
let isChanging = false;
const base = `http://127.0.0.1:${port}/v1`;

interface Resource {
  path: string;
  /** The rows as JSON, written once. */
  rows: string[];
  byId: Map<string, Buffer>;
  /** Pages that were asked for, as JSON, by limit and offset. */
  pages: Map<string, Buffer>;
  hasList: boolean;
}

const resources = new Map(
  [
    resource('/supply-chains/farmers/', farmers, ['list', 'detail']),
    resource('/supply-chains/companies/', companies, ['detail']),
    resource('/accounts/users/', users, ['detail']),
    resource('/supply-chains/entity-cards/', entityCards, ['list']),
    resource('/catalogs/products/', products, ['list']),
    resource('/catalogs/currencies/', currencies, ['list']),
    resource('/catalogs/connect-cards/', cards, ['list']),
    resource('/transactions/product-transactions/', transactions, ['list', 'detail']),
    resource('/transactions/payment-transactions/', payments, ['list', 'detail']),
  ].map((each) => [`/v1${each.path}`, each]),
);
const calls = new Map<string, number>();
const noCredentials = Buffer.from('{"detail":"Authentication credentials were not provided."}');
/** Digits in rows and in the objects inside them: times of change, phones of users, numbers of currencies. */
const changing = /(?<="updated_on":"[^"]{20}|"phone":"\+25670|"name":"Currency )\d+/g;
/** The places of those digits, by body: first of those that differ between any two answers, then of slower ones. */
const places = new WeakMap<Buffer, number[][]>();
const digitsOfAnswer = 6;
const notFound = Buffer.from('{"detail":"Not found."}');

const server = http.createServer((request, response) => {
  const [path = '', query = ''] = request.url!.split('?');
  if (path === '/__control/calls') return send(response, 200, takeCalls());
  if (path === '/__control/change') {
    isChanging = true;
    return send(response, 200, Buffer.from('{}'));
  }
  const { status, body, call } = request.headers.authorization
    ? answer(path, query)
    : { status: 401, body: noCredentials, call: `401 ${path}` };
  calls.set(call, (calls.get(call) ?? 0) + 1);
  if (latency === 0) send(response, status, body);
  else setTimeout(send, latency, response, status, body);
});
// A gateway that keeps its connections must not find them closed.
server.keepAliveTimeout = 120_000;
server.headersTimeout = 0;
server.requestTimeout = 0;
server.listen(port, '127.0.0.1', 4096);

function answer(path: string, query: string): { status: number; body: Buffer; call: string } {
  const listed = resources.get(path);
  if (listed?.hasList) return { status: 200, body: pageOf(listed, query), call: `list ${listed.path}` };
  const cut = path.lastIndexOf('/', path.length - 2) + 1;
  const owner = resources.get(path.slice(0, cut));
  const body = owner?.byId.get(path.slice(cut, -1));
  if (owner && body) return { status: 200, body, call: `get ${owner.path}{id}/` };
  return { status: 404, body: notFound, call: `404 ${path}` };
}

function pageOf({ path, rows, pages }: Resource, query: string): Buffer {
  const parameters = new URLSearchParams(query);
  const limit = Math.min(maxLimit, Math.max(1, Number(parameters.get('limit')) || defaultLimit));
  const offset = Math.max(0, Number(parameters.get('offset')) || 0);
  const key = `${limit}:${offset}`;
  const known = pages.get(key);
  if (known) return known;
  const link = (to: number) => JSON.stringify(`${base}${path}?limit=${limit}&offset=${to}`);
  const next = offset + limit < rows.length ? link(offset + limit) : 'null';
  const previous = offset > 0 ? link(Math.max(0, offset - limit)) : 'null';
  const results = rows.slice(offset, offset + limit).join(',');
  const page = Buffer.from(`{"count":${rows.length},"next":${next},"previous":${previous},"results":[${results}]}`);
  pages.set(key, page);
  return page;
}

function takeCalls(): Buffer {
  const taken = Buffer.from(JSON.stringify(Object.fromEntries(calls)));
  calls.clear();
  return taken;
}

function send(response: ServerResponse, status: number, json: Buffer): void {
  const body = isChanging ? changed(json) : json;
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
}

/** The same with other digits than the answer before it. */
function changed(json: Buffer): Buffer {
  const body = Buffer.from(json);
  let number = answers++;
  for (const places of placesIn(json)) {
    const digit = 48 + (number % 10);
    for (const place of places) body[place] = digit;
    number = Math.floor(number / 10);
  }
  return body;
}

/** The last digit of each number is that of the answer's number, so that each row changes. The others share its other digits. */
function placesIn(json: Buffer): number[][] {
  let known = places.get(json);
  if (!known) {
    known = Array.from({ length: digitsOfAnswer }, () => []);
    let count = 0;
    // One character for each byte, so that the indexes are those of the bytes.
    for (const { 0: text, index } of json.toString('latin1').matchAll(changing)) {
      known[0]!.push(index + text.length - 1);
      for (let i = 0; i < text.length - 1; i++) known[1 + (count++ % (digitsOfAnswer - 1))]!.push(index + i);
    }
    places.set(json, known);
  }
  return known;
}

function resource(path: string, items: { id: string }[], forms: ('list' | 'detail')[]): Resource {
  const rows = items.map((item) => JSON.stringify(item));
  const details = forms.includes('detail') ? items : [];
  return {
    path,
    rows,
    byId: new Map(details.map(({ id }, i) => [id, Buffer.from(rows[i]!)])),
    pages: new Map(),
    hasList: forms.includes('list'),
  };
}
