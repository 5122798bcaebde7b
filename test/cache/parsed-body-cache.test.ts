import { expect, test } from 'vitest';
import { ParsedBodyCache, ResponseBody } from '../../src/upstream/parsed-body-cache.ts';

const bytesOf = (body: unknown) => Buffer.from(JSON.stringify(body));

test('the body cache parses an identical body of the same path once, from its second answer on', () => {
  const bodies = new ParsedBodyCache(2 ** 23);
  bodies.of('/farmers/1/', bytesOf({ id: '1' })).json;
  const again = bodies.of('/farmers/1/', bytesOf({ id: '1' })).json;

  expect(again).toEqual({ id: '1' });
  expect(bodies.of('/farmers/1/', bytesOf({ id: '1' })).json).toBe(again);
});

test('the body cache parses another body, or the body of another path, by itself', () => {
  const bodies = new ParsedBodyCache(2 ** 23);
  const read = (path: string, body: unknown) => bodies.of(path, bytesOf(body)).json;
  read('/farmers/1/', { id: '1', name: 'Ana' });
  read('/farmers/1/', { id: '1', name: 'Ana' });

  expect(read('/farmers/1/', { id: '1', name: 'Eva' })).toEqual({ id: '1', name: 'Eva' });
  expect(read('/farmers/2/', { id: '1', name: 'Ana' })).not.toBe(read('/farmers/1/', { id: '1', name: 'Ana' }));
});

test('a body that came once leaves no parsed objects behind', () => {
  const content = new ResponseBody(bytesOf({ id: '1' }));

  expect(content.json).not.toBe(content.json);
});

test('the body cache evicts the oldest bodies, and skips large ones', () => {
  const bodies = new ParsedBodyCache(2 ** 23);
  const first = bodies.of('/0/', Buffer.from('{}'));
  for (let index = 1; index < 9_000; index += 1) bodies.of(`/${index}/`, Buffer.from('{}'));
  const large = Buffer.alloc(3 * 2 ** 20, ' ');

  expect(bodies.of('/0/', Buffer.from('{}'))).not.toBe(first);
  expect(bodies.of('/large/', large)).not.toBe(bodies.of('/large/', large));
});

test.each([
  ['text', Buffer.from('<html>'), undefined],
  ['nothing', Buffer.alloc(0), undefined],
  ['JSON behind a byte order mark', Buffer.from('\ufeff{"id":"é"}'), { id: 'é' }],
])('ResponseBody.json of %s', (_, bytes, json) => {
  expect(new ResponseBody(bytes).json).toEqual(json);
});
