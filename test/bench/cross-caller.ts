import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { documentFor } from '../../bench/lib/operations.ts';
import { peerNamed } from '../../bench/lib/peers.ts';
import { ask, startPeer } from '../../bench/lib/running.ts';

interface Transaction {
  number?: string;
  product?: { name?: string };
  source?: { first_name?: string };
  destination?: { name?: string };
  creator?: { first_name?: string };
}

/**
 * Sends `deep` for many callers at a time. The service writes the caller's Authorization into every name.
 * @returns the values in the answers that are not their caller's; an answer with errors counts as one.
 */
export async function foreignValues({ rounds, callers }: { rounds: number; callers: number }): Promise<string[]> {
  const peer = peerNamed('ours');
  const service = await startEchoingService();
  const { port } = service.address() as AddressInfo;
  const running = await startPeer(peer, `http://127.0.0.1:${port}/v1`);
  const document = documentFor(peer, 'deep');
  const found: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const keys = Array.from({ length: callers }, (_, i) => `key-${round}-${i}`);
    const answers = await Promise.all(keys.map((key) => ask(running.url, document, key)));
    for (const [i, { body }] of answers.entries()) found.push(...foreignIn(body, keys[i]!));
  }
  await running.stop();
  service.closeAllConnections();
  service.close();
  return found;
}

function foreignIn(body: { data?: unknown; errors?: unknown[] }, caller: string): string[] {
  if (body.errors) return [JSON.stringify(body.errors)];
  const { productTransactions } = body.data as { productTransactions: { results: Transaction[] } };
  return productTransactions.results
    .flatMap((row) => [
      row.number,
      row.product?.name,
      row.source?.first_name,
      row.destination?.name,
      row.creator?.first_name,
    ])
    .filter((value) => value !== caller)
    .map(String);
}

async function startEchoingService(): Promise<Server> {
  const service = createServer((request, response) => {
    const [path = ''] = request.url!.replace(/^\/v1/, '').split('?');
    const body = JSON.stringify(answerTo(path, request.headers.authorization ?? 'nobody'));
    // Slow enough that the reads of all callers are under way at once.
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(body), 15);
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  return service;
}

function answerTo(path: string, caller: string): object {
  const three = <Row>(row: (i: number) => Row) => ({
    count: 3,
    next: null,
    previous: null,
    results: [0, 1, 2].map(row),
  });
  if (path === '/catalogs/products/') return three((i) => ({ id: `p${i}`, name: caller }));
  if (path === '/transactions/product-transactions/') return three((i) => transaction(i, caller));
  if (path.endsWith('s/')) return three((i) => ({ id: `x${i}`, first_name: caller, name: caller }));
  const id = path.split('/').at(-2)!;
  return id.startsWith('c') ? { id, name: caller } : { id, first_name: caller, last_name: caller, email: caller };
}

function transaction(i: number, caller: string): object {
  return {
    id: `t${i}`,
    number: caller,
    quantity: '1',
    amount: '1',
    date: '2024-01-01T00:00:00Z',
    currency_details: { id: 'c', code: 'X' },
    product: `p${i}`,
    source: `f${i}`,
    destination: `c${i}`,
    creator: `u${i}`,
    transaction_payments: [],
  };
}
