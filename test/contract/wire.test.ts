import { expect, test } from 'vitest';
import { Contract } from '../../packages/contract/contract.ts';
import type { ContractData } from '../../packages/contract/data.ts';
import { ask, startService } from '../../packages/rest-graph/test/other-service.ts';
import { traceability } from '../../src/app.ts';
import { startGateway } from '../support/harness.ts';

/** The contract whose dialects have other names. */
const renamed = JSON.stringify(traceability.contract.data)
  .replaceAll('"connect"', '"real"')
  .replaceAll('"spec"', '"paper"');
const data: ContractData = JSON.parse(renamed);
const envelope = { success: 'ok', data: 'body', message: 'reason', code: 'status' };

/** A service that has other words for a page and an envelope than the sandbox. */
const otherWords = new Contract({
  ...data,
  wire: {
    page: { count: 'total', rows: 'items', limit: 'take', offset: 'skip' },
    wholeBody: ['general'],
  },
  dialects: data.dialects.map((dialect) => ({ ...dialect, ...(dialect.envelope && { envelope }) })),
});

/** Translates between a gateway with the other words and the sandbox. */
async function translate(sandboxUrl: string): Promise<string> {
  const { url } = await startService(sandboxUrl, async (request) => {
    const path = request.path.replace('take=', 'limit=').replace('skip=', 'offset=');
    const { authorization = '' } = request.headers;
    const answer = await ask(sandboxUrl, { ...request, path }, { authorization });
    const json = answer.body as Record<string, unknown>;
    const { success: ok, data: body, message: reason, code: status } = json;
    const translated = 'success' in json ? { ok, body: translatePage(body), reason, status } : translatePage(json);
    return { ...answer, body: translated };
  });
  return url;
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
  await using translated = await startGateway({
    sandbox,
    settings,
    app: { ...traceability, contract: otherWords },
    upstreamUrl: translate,
  });
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
