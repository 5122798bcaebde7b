/** A service with a long list of transactions, in a thread of its own. Its rows refer to 20,000 farmers and 25 companies. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { companies, farmers } from '../stub/entities.ts';
import { transactions } from '../stub/transactions.ts';

const { rows } = workerData as { rows: number };
const farmerCount = 20_000;
const newest = Date.UTC(2026, 0) / 1_000;

const server = createServer(({ url = '' }, response) => {
  const { pathname, searchParams } = new URL(url, 'http://service');
  const id = pathname.split('/').at(-2) ?? '';
  if (pathname.endsWith('/product-transactions/')) sendPage(response, searchParams, rows, transactionAt);
  else if (pathname.endsWith('/farmers/')) sendPage(response, searchParams, farmerCount, farmerAt);
  else if (pathname.includes('/farmers/')) send(response, farmerAt(Number(id.slice(1))));
  else send(response, companies.find((company) => company.id === id) ?? companies[0]!);
});
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => {
  parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
});

function transactionAt(index: number): object {
  const time = new Date((newest - index * 60) * 1_000).toISOString();
  const source = `F${(index * 13) % farmerCount}`;
  return { ...transactions[index % transactions.length], id: `T${index}`, source, created_on: time, updated_on: time };
}

function farmerAt(index: number): object {
  return { ...farmers[index % farmers.length], id: `F${index}`, number: `N${index}` };
}

function sendPage(
  response: ServerResponse,
  parameters: URLSearchParams,
  count: number,
  rowAt: (index: number) => object,
): void {
  const offset = Number(parameters.get('offset'));
  const size = Math.max(0, Math.min(Number(parameters.get('limit')), count - offset));
  const results = Array.from({ length: size }, (_, position) => rowAt(offset + position));
  send(response, { count, next: null, previous: null, results });
}

function send(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
