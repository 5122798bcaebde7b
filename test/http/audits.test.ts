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

/** Forged requests come by GET without a header that a browser would ask about: none of them runs. */
const refusedAsForged = ['5A70', 'D6D5', '6A70'];

describe('GraphQL over HTTP', () => {
  test.each(serverAudits({ url }))('$id: $name', async ({ id, name, fn }) => {
    const result = await fn();
    const response = 'response' in result ? await result.response.text() : '';
    if (!refusedAsForged.includes(id)) return expect(result, response).toMatchObject({ status: 'ok' });
    expect({ name, status: result.status }).toEqual({ name: expect.stringMatching(/^MAY /), status: 'notice' });
    expect(response).toContain('Cross-Site Request Forgery');
  });
});

describe('GraphQL over HTTP with the preflight header', () => {
  test.each(serverAudits({ url, fetchFn: withPreflight }))('$id: $name', async ({ fn }) => {
    expect(await fn()).toMatchObject({ status: 'ok' });
  });
});
