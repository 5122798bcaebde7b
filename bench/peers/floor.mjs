/**
 * No GraphQL: knows the operations by their text, makes the fewest upstream calls and assembles the answer by hand.
 * What a gateway costs above this is the price of GraphQL. MODE=passthrough pipes the first read through, unread.
 */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Pool } from 'undici';

const { origin, pathname } = new URL(process.env.UPSTREAM_URL);
const pool = new Pool(origin);
const isPassthrough = process.env.MODE === 'passthrough';
const textOf = (name) => readFileSync(new URL(`../ops/${name}.graphql`, import.meta.url), 'utf8').trim();
const smallId = /"([^"]+)"/.exec(textOf('small'))[1];

/** For each operation, what is read first, and what makes the answer's data of it. */
const operations = {
  small: {
    path: () => `/supply-chains/farmers/${smallId}/`,
    answer: (f) => ({
      farmer: f && { id: f.id, first_name: f.first_name, last_name: f.last_name, city: f.city, number: f.number },
    }),
  },
  page: { path: (limit) => `/supply-chains/farmers/?limit=${limit}`, answer: page },
  deep: { path: (limit) => `/transactions/product-transactions/?limit=${limit}`, answer: deep },
  catalog: {
    path: (limit) => `/catalogs/currencies/?limit=${limit}`,
    answer: ({ count, results }) => ({
      currencies: { count, results: results.map((c) => ({ id: c.id, name: c.name, code: c.code })) },
    }),
  },
  idonly: {
    path: (limit) => `/supply-chains/farmers/?limit=${limit}`,
    answer: ({ results }) => ({
      farmers: {
        results: results.map((f) => ({
          id: f.id,
          buyer: f.buyer && { id: f.buyer },
          creator: f.creator && { id: f.creator },
        })),
      },
    }),
  },
};

async function page({ count, results }, authorization) {
  const buyers = results.map((f) => f.buyer);
  const companies = await getEach('/supply-chains/companies/', buyers, authorization);
  return {
    farmers: {
      count,
      results: results.map((f) => {
        const buyer = companies.get(f.buyer);
        const held = f.entity_card;
        return {
          id: f.id,
          first_name: f.first_name,
          last_name: f.last_name,
          city: f.city,
          number: f.number,
          phone: f.phone,
          entity_card: held && {
            id: held.id,
            card: { card_id: held.card.card_id, display_id: held.card.display_id },
          },
          buyer: buyer && { id: buyer.id, name: buyer.name },
        };
      }),
    },
  };
}

async function deep({ count, results }, authorization) {
  const idsIn = (field) => results.map((t) => t[field]);
  const [farmers, companies, users, products] = await Promise.all([
    getEach('/supply-chains/farmers/', idsIn('source'), authorization),
    getEach('/supply-chains/companies/', idsIn('destination'), authorization),
    getEach('/accounts/users/', idsIn('creator'), authorization),
    get('/catalogs/products/?limit=100', authorization).then((list) => new Map(list.results.map((p) => [p.id, p]))),
  ]);
  return {
    productTransactions: {
      count,
      results: results.map((t) => {
        const source = farmers.get(t.source);
        const destination = companies.get(t.destination);
        const creator = users.get(t.creator);
        const product = products.get(t.product);
        return {
          id: t.id,
          number: t.number,
          quantity: t.quantity,
          amount: t.amount,
          date: t.date,
          currency_details: t.currency_details && { code: t.currency_details.code },
          product: product && { id: product.id, name: product.name },
          source: source && { id: source.id, first_name: source.first_name, last_name: source.last_name },
          destination: destination && { id: destination.id, name: destination.name },
          creator: creator && { id: creator.id, first_name: creator.first_name, email: creator.email },
          transaction_payments: t.transaction_payments.map((p) => ({
            id: p.id,
            amount: p.amount,
            premium_details: p.premium_details && { name: p.premium_details.name },
          })),
        };
      }),
    },
  };
}

/** Each different id once, by id. */
async function getEach(prefix, ids, authorization) {
  const found = new Map();
  for (const id of ids) if (id) found.set(id, null);
  const read = async (id) => found.set(id, await get(`${prefix}${id}/`, authorization));
  await Promise.all(Array.from(found.keys(), read));
  return found;
}

async function get(path, authorization) {
  const { statusCode, body } = await send(path, authorization);
  if (statusCode === 200) return body.json();
  await body.dump();
  return null;
}

function send(path, authorization) {
  return pool.request({ path: pathname + path, method: 'GET', headers: { authorization } });
}

/** The text of an operation → the operation, and the rows that it asks for: the scaling series asks for more or fewer. */
const known = new Map(Object.entries(operations).map(([name, operation]) => [textOf(name), { operation, limit: 100 }]));
function find(query) {
  const found = known.get(query);
  if (found) return found;
  const limit = /limit: (\d+)/.exec(query)[1];
  const { operation } = known.get(query.replace(`limit: ${limit}`, 'limit: 100'));
  known.set(query, { operation, limit });
  return known.get(query);
}

const server = http.createServer((request, response) => {
  const chunks = [];
  request
    .on('data', (chunk) => chunks.push(chunk))
    .on('end', () => serve(Buffer.concat(chunks), request, response).catch((error) => fail(response, error)));
});
server.listen(Number(process.env.PORT), '127.0.0.1');

async function serve(body, request, response) {
  const { operation, limit } = find(JSON.parse(body.toString()).query);
  const { authorization } = request.headers;
  const path = operation.path(limit);
  if (isPassthrough) return passThrough(await send(path, authorization), response);
  const data = await operation.answer(await get(path, authorization), authorization);
  const text = Buffer.from(JSON.stringify({ data }));
  const isGzipped = request.headers['accept-encoding'] === 'gzip';
  const answer = isGzipped ? await promisify(gzip)(text) : text;
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': answer.length,
    ...(isGzipped && { 'content-encoding': 'gzip' }),
  });
  response.end(answer);
}

function passThrough({ statusCode, headers, body }, response) {
  response.writeHead(statusCode, { 'content-type': 'application/json', 'content-length': headers['content-length'] });
  body.pipe(response);
}

function fail(response, error) {
  response.writeHead(500);
  response.end(String(error));
}
