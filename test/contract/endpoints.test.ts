import { expect, test } from 'vitest';
import { type Endpoint, endpoints } from '../../src/upstream/endpoints.ts';
import { operations } from './rest-contract.ts';

test('the endpoints are the operations of the document, in its order', () => {
  const called = Object.entries<Endpoint>(endpoints).map(([id, { method, path }]) => `${id}: ${method} ${path}`);

  expect(called).toEqual(operations.map(({ id, method, path }) => `${id}: ${method.toUpperCase()} ${path}`));
});

test('the filters of each list are the query parameters of its operation', () => {
  for (const { id, query } of operations) {
    const endpoint: Endpoint | undefined = Object.entries<Endpoint>(endpoints).find(([name]) => name === id)?.[1];
    const names = query.map(({ name }) => name).filter((name) => name !== 'limit' && name !== 'offset');

    expect(Object.values(endpoint?.filters ?? {}), id).toEqual(names);
  }
});
