import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { page, type RecordedService, startRecordedService, success } from '../support/recorded-service.ts';

let service: RecordedService;
beforeAll(async () => {
  service = await startRecordedService();
});
afterAll(() => service.close());

describe('ids of premiums are read out of', () => {
  test.each<[string, unknown, string[] | null]>([
    ['a list', ['QR6XEYGEW7', 'QY7PED8E6K'], ['QR6XEYGEW7', 'QY7PED8E6K']],
    ['an empty list', [], []],
    ['a list of objects', [{ id: 'QR6XEYGEW7', name: 'Organic' }], ['QR6XEYGEW7']],
    ['internal numbers', [3, 12], ['3', '12']],
    ['the JSON text of a list', '["QR6XEYGEW7", "QY7PED8E6K"]', ['QR6XEYGEW7', 'QY7PED8E6K']],
    ['the JSON text of a list of objects', '[{"id":"QR6XEYGEW7"}]', ['QR6XEYGEW7']],
    ['the JSON text of an empty list', '[]', []],
    ['a text with commas', 'QR6XEYGEW7, QY7PED8E6K', ['QR6XEYGEW7', 'QY7PED8E6K']],
    ['the text of one id', 'QR6XEYGEW7', ['QR6XEYGEW7']],
    ['an empty text', '', []],
    ['null', null, null],
    ['nothing', undefined, null],
  ])('%s', async (_form, premiums, premium_ids) => {
    service.answerWith({ 'GET /catalogs/products/': page([{ id: 'A', premiums }]) });
    const { data, errors } = await service.query('{ products { results { premium_ids } } }');
    expect(errors).toEqual([]);
    expect(data.products.results).toEqual([{ premium_ids }]);
  });

  test.each([
    ['a sentence', 'none so far'],
    ['JSON that is cut', '["QR6X'],
    ['an object', { a: 1 }],
    ['its text', '{"a":1}'],
    ['a number', 7],
  ])('no %s, which is null with one error', async (_form, premiums) => {
    service.answerWith({
      'GET /catalogs/products/': page([
        { id: 'A', premiums },
        { id: 'B', premiums: [] },
      ]),
    });
    const { data, errors } = await service.query('{ products { results { id premium_ids } } }');
    expect(data.products.results).toEqual([
      { id: 'A', premium_ids: null },
      { id: 'B', premium_ids: [] },
    ]);
    expect(errors).toMatchObject([
      { path: ['products', 'results', 0, 'premium_ids'], extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } },
    ]);
    expect(errors).toHaveLength(1);
  });

  test('a list without an item that has no id, and with one error for the item', async () => {
    service.answerWith({ 'GET /catalogs/products/': page([{ id: 'A', premiums: ['QR6XEYGEW7', null] }]) });
    const { data, errors } = await service.query('{ products { results { premium_ids } } }');
    expect(data.products.results).toEqual([{ premium_ids: ['QR6XEYGEW7'] }]);
    expect(errors).toMatchObject([
      { path: ['products', 'results', 0, 'premium_ids', 1], extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } },
    ]);
  });
});

describe('a boolean is', () => {
  const ask = async (value: unknown) => {
    service.answerWith({
      'GET /catalogs/products/': page([{ id: 'A', is_active: value }]),
      'GET /accounts/users/U/': success({ id: 'U', policy_accepted: value }),
    });
    const { data, errors } = await service.query(
      '{ products { results { active } } user(id: "U") { current_policy_accepted } }',
    );
    return { values: [data.products.results[0].active, data.user.current_policy_accepted], errors };
  };

  test.each<[boolean | null, unknown]>([
    ...([true, 'true', 'True', 'TRUE', '1', 1] as const).map((value) => [true, value] as [boolean, unknown]),
    ...([false, 'false', 'False', '0', 0] as const).map((value) => [false, value] as [boolean, unknown]),
    [null, ''],
    [null, null],
  ])('%j for %j', async (expected, value) => {
    const { values, errors } = await ask(value);
    expect(errors).toEqual([]);
    expect(values).toEqual([expected, expected]);
  });

  test.each([['perhaps'], [2], [[true]], [{ value: true }]])('null with one error for %j', async (value) => {
    const { values, errors } = await ask(value);
    expect(values).toEqual([null, null]);
    expect(errors.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [['products', 'results', 0, 'active'], 'UPSTREAM_INVALID_RESPONSE'],
      [['user', 'current_policy_accepted'], 'UPSTREAM_INVALID_RESPONSE'],
    ]);
  });
});

test.each([
  ['its id', 'B'],
  ['a number', 7],
  ['a list', []],
])('a card in whose place the service sends %s is null, with one error', async (_what, card) => {
  service.answerWith({ 'GET /supply-chains/entity-cards/': page([{ id: 'A', card, entity: 'C' }]) });
  const { data, errors } = await service.query('{ entityCards { results { card { card_id } } } }');
  expect(data.entityCards.results).toEqual([{ card: null }]);
  expect(errors).toMatchObject([
    {
      message: 'card cannot represent what the service sent.',
      path: ['entityCards', 'results', 0, 'card'],
      extensions: { code: 'UPSTREAM_INVALID_RESPONSE' },
    },
  ]);
});

test('the holder of a card without an id is null, with an error of the service', async () => {
  const card = { card_id: '04', display_id: null };
  service.answerWith({ 'GET /supply-chains/entity-cards/': page([{ id: 'A', card, entity: 'B' }]) });
  const { data, errors } = await service.query('{ entityCards { results { card { card_id holder { id } } } } }');
  expect(data.entityCards.results).toEqual([{ card: { card_id: '04', holder: null } }]);
  expect(errors).toMatchObject([
    {
      message: 'The service gave a Card without an id.',
      path: ['entityCards', 'results', 0, 'card', 'holder'],
      extensions: { code: 'UPSTREAM_INVALID_RESPONSE' },
    },
  ]);
});
