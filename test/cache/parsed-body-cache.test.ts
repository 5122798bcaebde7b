import { expect, test } from 'vitest';
import { ParsedBodyCache, ResponseBody } from '../../src/upstream/parsed-body-cache.ts';

const bytesOf = (body: unknown) => Buffer.from(JSON.stringify(body));

test('what is answered again word for word is the same content, and read out once from then on', () => {
  const contents = new ParsedBodyCache();
  contents.of('/farmers/1/', bytesOf({ id: '1' })).json;
  const again = contents.of('/farmers/1/', bytesOf({ id: '1' })).json;

  expect(again).toEqual({ id: '1' });
  expect(contents.of('/farmers/1/', bytesOf({ id: '1' })).json).toBe(again);
});

test('what is answered otherwise, or elsewhere, is another content', () => {
  const contents = new ParsedBodyCache();
  const read = (path: string, body: unknown) => contents.of(path, bytesOf(body)).json;
  read('/farmers/1/', { id: '1', name: 'Ana' });
  read('/farmers/1/', { id: '1', name: 'Ana' });

  expect(read('/farmers/1/', { id: '1', name: 'Eva' })).toEqual({ id: '1', name: 'Eva' });
  expect(read('/farmers/2/', { id: '1', name: 'Ana' })).not.toBe(read('/farmers/1/', { id: '1', name: 'Ana' }));
});

test('an answer that is read once leaves no objects behind', () => {
  const content = new ResponseBody(bytesOf({ id: '1' }));

  expect(content.json).not.toBe(content.json);
});

test('what is remembered is bounded', () => {
  const contents = new ParsedBodyCache();
  const first = contents.of('/0/', Buffer.from('{}'));
  for (let index = 1; index < 9_000; index += 1) contents.of(`/${index}/`, Buffer.from('{}'));
  const large = Buffer.alloc(3 * 2 ** 20, ' ');

  expect(contents.of('/0/', Buffer.from('{}'))).not.toBe(first);
  expect(contents.of('/large/', large)).not.toBe(contents.of('/large/', large));
});

test.each([
  ['text', Buffer.from('<html>'), undefined],
  ['nothing', Buffer.alloc(0), undefined],
  ['JSON behind a byte order mark', Buffer.from('\ufeff{"id":"é"}'), { id: 'é' }],
])('%s', (_, bytes, json) => {
  expect(new ResponseBody(bytes).json).toEqual(json);
});
