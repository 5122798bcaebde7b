import { expect, test, vi } from 'vitest';
import { ParsedBodyCache, ResponseBody } from '../../packages/upstream/parsed-body-cache.ts';
import { startGateway } from '../support/harness.ts';

const bytesOf = (body: unknown) => Buffer.from(JSON.stringify(body));

test('the body cache parses an identical body of the same path once, from its second answer on', () => {
  const bodies = new ParsedBodyCache(2 ** 23);
  bodies.of('getFarmer', '/farmers/1/', bytesOf({ id: '1' })).parse();
  const again = bodies.of('getFarmer', '/farmers/1/', bytesOf({ id: '1' })).parse();

  expect(again).toEqual({ id: '1' });
  expect(bodies.of('getFarmer', '/farmers/1/', bytesOf({ id: '1' })).parse()).toBe(again);
});

test('the body cache parses another body, or the body of another path, by itself', () => {
  const bodies = new ParsedBodyCache(2 ** 23);
  const read = (path: string, body: unknown) => bodies.of('getFarmer', path, bytesOf(body)).parse();
  read('/farmers/1/', { id: '1', name: 'Ana' });
  read('/farmers/1/', { id: '1', name: 'Ana' });

  expect(read('/farmers/1/', { id: '1', name: 'Eva' })).toEqual({ id: '1', name: 'Eva' });
  expect(read('/farmers/2/', { id: '1', name: 'Ana' })).not.toBe(read('/farmers/1/', { id: '1', name: 'Ana' }));
});

test('a body that came once leaves no parsed objects behind', () => {
  const content = new ResponseBody(bytesOf({ id: '1' }));

  expect(content.parse()).not.toBe(content.parse());
});

test('the body cache evicts the oldest bodies, and skips large ones', () => {
  const bodies = new ParsedBodyCache(2 ** 23);
  const first = bodies.of('getFarmer', '/0/', Buffer.from('{}'));
  for (let index = 1; index < 9_000; index += 1) bodies.of('getFarmer', `/${index}/`, Buffer.from('{}'));
  const large = Buffer.alloc(3 * 2 ** 20, ' ');
  const readLarge = () => bodies.of('getFarmer', '/large/', large);

  expect(bodies.of('getFarmer', '/0/', Buffer.from('{}'))).not.toBe(first);
  // `not.toBe` would compare the bytes too.
  expect(Object.is(readLarge(), readLarge())).toBe(false);
});

test.each([
  ['text', Buffer.from('<html>'), undefined],
  ['nothing', Buffer.alloc(0), undefined],
  ['JSON behind a byte order mark', Buffer.from('\ufeff{"id":"é"}'), { id: 'é' }],
])('ResponseBody.parse of %s', (_, bytes, json) => {
  expect(new ResponseBody(bytes).parse()).toEqual(json);
});

test('the body cache takes few answers of an endpoint whose answers change, until one is equal again', () => {
  const bodies = new ParsedBodyCache(2 ** 23);
  const read = (path: string, body: unknown) => bodies.of('getFarmer', path, bytesOf(body));
  const isTaken = (path: string) => Object.is(read(path, {}), read(path, {}));
  for (let change = 0; change < 17; change += 1) read('/farmers/1/', { id: '1', change });
  const before = Array.from({ length: 20 }, (_, index) => isTaken(`/farmers/before/${index}/`));
  for (let count = 0; count < 100; count += 1) read('/farmers/2/', { id: '2' });
  const after = Array.from({ length: 20 }, (_, index) => isTaken(`/farmers/after/${index}/`));

  expect(before).toEqual(before.map(() => false));
  expect(after).toEqual(after.map(() => true));
});

test('the body cache compares few answers of an endpoint whose answers all change, until they no longer do', () => {
  const bodies = new ParsedBodyCache(2 ** 23);
  const paths = Array.from({ length: 10 }, (_, index) => `/farmers/${index}/`);
  const equals = vi.spyOn(Buffer.prototype, 'equals');
  const readAll = (change: number) => paths.map((path) => bodies.of('getFarmer', path, bytesOf({ path, change })));
  for (let change = 0; change < 100; change += 1) readAll(change);

  expect(equals.mock.calls.length).toBeLessThan(100);
  for (let turn = 0; turn < 20; turn += 1) readAll(100);
  expect(readAll(100).every((body, index) => body === readAll(100)[index])).toBe(true);
});

test('changed answers of one endpoint leave the others in the body cache', () => {
  const bodies = new ParsedBodyCache(2 ** 23);
  for (let change = 0; change < 20; change += 1) bodies.of('getFarmer', '/farmers/1/', bytesOf({ id: '1', change }));
  const read = () => bodies.of('getCompany', '/companies/1/', bytesOf({ id: '1' }));

  expect(read()).toBe(read());
});

test('a query parses each answer of the service once', async () => {
  await using gateway = await startGateway();
  const parse = vi.spyOn(ResponseBody.prototype, 'parse');
  const { calls } = await gateway.query('{ farmers(limit: 3) { results { id buyer { name } } } }');

  expect(calls).toHaveLength(2);
  expect(parse).toHaveBeenCalledTimes(2);
});
