import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/harness.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const url = () => gateway.url;
const withPreflight: typeof fetch = (input, { headers, ...init } = {}) =>
  fetch(input, {
    ...init,
    headers: { ...Object.fromEntries(new Headers(headers)), 'apollo-require-preflight': 'true' },
  });

/**
 * The audits know the draft from before September 2026, in which 400 stands for every request at fault. The released text
 * keeps 400 for what cannot be parsed. A request without a query gets 422, as do variables that do not fit.
 */
const olderThanRelease = ['423L', '86EE'];

type Result = Awaited<ReturnType<ReturnType<typeof serverAudits>[number]['fn']>>;

function expectOk(id: string, result: Result, response?: string) {
  if (!olderThanRelease.includes(id)) return expect(result, response).toMatchObject({ status: 'ok' });
  expect(result).toMatchObject({ response: { status: 422 }, reason: expect.stringContaining('400') });
}

/** Forged requests come by GET without a header that a browser would ask about: none of them runs. */
const refusedAsForged = ['5A70', 'D6D5', '6A70'];

describe('GraphQL over HTTP', () => {
  test.each(serverAudits({ url }))('$id: $name', async ({ id, name, fn }) => {
    const result = await fn();
    const response = 'response' in result ? await result.response.text() : '';
    if (!refusedAsForged.includes(id)) return expectOk(id, result, response);
    expect({ name, status: result.status }).toEqual({ name: expect.stringMatching(/^MAY /), status: 'notice' });
    expect(response).toContain('Cross-Site Request Forgery');
  });
});

describe('GraphQL over HTTP with the preflight header', () => {
  test.each(serverAudits({ url, fetchFn: withPreflight }))('$id: $name', async ({ id, fn }) => {
    expectOk(id, await fn());
  });
});
