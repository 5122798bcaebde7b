import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Contract } from '../../src/contract/contract.ts';
import { serviceContract } from '../../src/contract/service-contract.ts';
import { startGateway } from '../support/harness.ts';

const { data } = serviceContract;

/** A service that has other words for a page and an envelope than the sandbox. */
const otherWords = new Contract({
  ...data,
  wire: {
    envelope: { dialect: 'connect', success: 'ok', data: 'body', message: 'reason', code: 'status' },
    page: { count: 'total', rows: 'items', limit: 'take', offset: 'skip' },
    wholeBody: ['general'],
  },
});

let translator: Server | undefined;
afterEach(() => translator?.close());

/** Translates between a gateway with the other words and the sandbox. */
async function translate(sandboxUrl: string): Promise<string> {
  const { origin, pathname } = new URL(sandboxUrl);
  translator = createServer(async (request, response) => {
    const path = (request.url ?? '').replace('take=', 'limit=').replace('skip=', 'offset=');
    const answer = await fetch(origin + path, { headers: { authorization: request.headers.authorization ?? '' } });
    const { success, data, message, code } = (await answer.json()) as Record<string, unknown>;
    const { count, results, ...others } = (data ?? {}) as Record<string, unknown>;
    const body = results === undefined ? data : { ...others, total: count, items: results };
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ok: success, body, reason: message, status: code }));
  }).listen(0, '127.0.0.1');
  await once(translator, 'listening');
  return `http://127.0.0.1:${(translator.address() as AddressInfo).port}${pathname}`;
}

const document = `{
  farmers(offset: 3, limit: 2) { count results { name buyer { name } } }
  productTransactions(limit: 120) { count results { id source { __typename name } } }
  none: farmer(id: "F0F0F0F0F0") { name }
}`;

test('a service with other words for pages and envelopes answers the same', async () => {
  const sandbox = { dialect: 'connect' } as const;
  const key = 'Bearer demo-coop';
  await using plain = await startGateway({ sandbox });
  await using translated = await startGateway({ sandbox, contract: otherWords, upstreamUrl: translate });
  const expected = await plain.query(document, {}, { key });
  const { data, errors } = await translated.query(document, {}, { key });
  expect(expected.errors).toMatchObject([{ path: ['none'], extensions: { code: 'NOT_FOUND' } }]);
  expect(errors).toMatchObject([{ path: ['none'], extensions: { code: 'NOT_FOUND' } }]);
  expect(data).toEqual(expected.data);
});
