import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf } from '../support/client.ts';
import { type Gateway, startGateway } from '../support/harness.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

async function statusOf(body: object, accept: string) {
  const { status, body: answer } = await gateway.ask(body, { headers: { accept } });
  expect({ data: answer.data, code: codeOf(answer) }).toEqual({ data: undefined, code: expect.any(String) });
  return status;
}

describe('an operation that did not run', () => {
  const refused = [
    ['that is no GraphQL', { query: '{' }],
    ['that does not fit the schema', { query: '{ shoe_size }' }],
    ['that is too deep', { query: `{ farmers { results { ${'buyer { '.repeat(9)} id ${'} '.repeat(9)} } } }` }],
    ['whose variables do not fit', { query: 'query ($n: Int!) { farmers(limit: $n) { count } }' }],
    ['that it does not hold', { query: '{ __typename }', operationName: 'A' }],
  ] as const;
  test.each(refused)(
    'because of a document %s gets 200 if Accept names application/json, else 400',
    async (_case, body) => {
      const statuses = ['application/json', 'application/graphql-response+json, application/json;q=0.9', '*/*'].map(
        (accept) => statusOf(body, accept),
      );
      expect(await Promise.all(statuses)).toEqual([200, 400, 400]);
    },
  );

  test.each([
    ['has an empty query', { query: '' }, 400],
    ['has variables that are a list', { query: '{ __typename }', variables: [] }, 400],
  ])('because the request %s gets 400 for any Accept', async (_case, body, status) => {
    expect(await statusOf(body, 'application/json')).toBe(status);
  });

  test('never gets 200 as application/graphql-response+json', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'a' } };
    expect(await statusOf({ extensions }, 'application/graphql-response+json')).toBe(400);
  });
});
