import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenPart } from '../../packages/graphql-serve/part.ts';
import { type Gateway, startGateway } from '../support/harness.ts';

/** Bounds the operations of one app, or of all. */
const boundTo =
  (mostCalls: number, app?: string): OpenPart =>
  () => ({
    observer: {
      bound(request) {
        if (app === undefined || request.client.name === app) request.mostCalls = mostCalls;
      },
    },
  });

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ parts: [boundTo(1, 'Importer')] });
});
afterAll(() => gateway.close());

const importer = { headers: { 'apollographql-client-name': 'Importer' } };
const two = '{ farmers(limit: 1) { count } products { count } }';
const perhapsTwo = '{ farmers(limit: 1) { results { buyer { name } } } }';

test('an operation of a bounded app is refused where that of another app is answered', async () => {
  const refused = await gateway.query(two, {}, importer);
  expect(refused).toMatchObject({
    status: 400,
    errors: [{ extensions: { code: 'UPSTREAM_BUDGET_EXCEEDED' } }],
    calls: [],
  });
  const answered = await gateway.query(two);
  expect(answered.errors).toEqual([]);
  expect(answered.calls).toHaveLength(2);
});

test('a bounded operation makes no more calls than it may', async () => {
  const { data, errors, calls } = await gateway.query(perhapsTwo, {}, importer);
  expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_BUDGET_EXCEEDED' } }]);
  expect(data).toEqual({ farmers: { results: [{ buyer: null }] } });
  expect(calls).toHaveLength(1);
});

test('a bound above the limit of the gateway raises it for nobody', async () => {
  await using bounded = await startGateway({
    parts: [boundTo(10)],
    file: { limits: { operations: { upstreamCalls: 1 } } },
  });
  expect((await bounded.query(two)).errors).toMatchObject([{ extensions: { code: 'UPSTREAM_BUDGET_EXCEEDED' } }]);
});

test('a file of a bounded app makes no more calls either', async () => {
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: {
      ...importer.headers,
      authorization: 'demo-coop',
      'content-type': 'application/json',
      accept: 'application/jsonl',
    },
    body: JSON.stringify({ query: '{ farmers { results { id buyer { name } } } }' }),
  });
  expect(await response.text()).toContain('UPSTREAM_BUDGET_EXCEEDED');
});
