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
    const json = (await answer.json()) as Record<string, unknown>;
    const { success: ok, data: body, message: reason, code: status } = json;
    const translated = 'success' in json ? { ok, body: translatePage(body), reason, status } : translatePage(json);
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(translated));
  }).listen(0, '127.0.0.1');
  await once(translator, 'listening');
  return `http://127.0.0.1:${(translator.address() as AddressInfo).port}${pathname}`;
}

function translatePage(data: unknown) {
  const { count, results, ...others } = (data ?? {}) as Record<string, unknown>;
  return results === undefined ? data : { ...others, total: count, items: results };
}

const document = `{
  farmers(offset: 3, limit: 2) { count results { name buyer { name } } }
  productTransactions(limit: 120) { count results { id source { __typename name } } }
  products { count results { name } }
  none: farmer(id: "F0F0F0F0F0") { name }
}`;

test.each([
  ['spec', 'demo-coop'],
  ['connect', 'Bearer demo-coop'],
] as const)('a %s service with other words for pages and envelopes answers the same', async (dialect, key) => {
  const sandbox = { dialect };
  const settings = { UPSTREAM_DIALECT: 'auto', 'cache.lists.ttlMs': '600000' };
  await using plain = await startGateway({ sandbox, settings });
  await using translated = await startGateway({ sandbox, settings, contract: otherWords, upstreamUrl: translate });
  const expected = await plain.query(document, {}, { key });
  expect(expected.errors).toMatchObject([{ path: ['none'], extensions: { code: 'NOT_FOUND' } }]);
  // The second time, products come from the cache.
  for (const calls of [1, 0]) {
    const answer = await translated.query(document, {}, { key });
    expect(answer.errors).toMatchObject([{ path: ['none'], extensions: { code: 'NOT_FOUND' } }]);
    expect(answer.data).toEqual(expected.data);
    expect(answer.calls.filter((call) => call.includes('/products/'))).toHaveLength(calls);
  }
});
