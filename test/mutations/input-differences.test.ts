import fc from 'fast-check';
import { type GraphQLInputType, getNullableType, isInputObjectType, isListType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { executableSchema } from '../../packages/rest-graph/graph/schema.ts';
import { inputDifferences } from '../../packages/rest-graph/graph/stored-input.ts';
import { DateTime } from '../../packages/upstream/date-time.ts';
import { traceability } from '../../src/app.ts';
import type { Json } from '../support/rest.ts';

const schema = executableSchema(traceability);
const mutations = schema.getMutationType()!;
const writes = Object.values(mutations.getFields()).filter(({ args }) => args.some(({ name }) => name === 'input'));

const differences = (fieldName: string, args: object, stored: Json) =>
  inputDifferences({ schema, parentType: mutations, fieldName }, args as Json, stored);

type Path = (string | number)[];

/** An input, an answer that shows it in another spelling, and answers that have lost one value each. */
interface Echo {
  sent: unknown;
  stored: unknown;
  losses: { path: Path; stored: unknown }[];
}

type Draw = <T>(arbitrary: fc.Arbitrary<T>) => T;

const id = fc.stringMatching(/^[A-H]{10}$/);
const text = fc.stringMatching(/^[a-zé0-9]{6,12}$/);

function leaf(scalar: string, path: Path, draw: Draw): [sent: unknown, stored: unknown[], others: unknown[]] {
  const name = path.findLast((step) => typeof step === 'string') ?? '';
  const oneOf = <T>(...values: T[]): T => draw(fc.constantFrom(...values));
  if (name === 'phone') {
    const number = draw(fc.integer({ min: 10_000_000, max: 99_999_998 }));
    const spellings = [`+31 ${number}`, `+31${number}`];
    return [oneOf(`+31${number}`, `tel:+31-${number}`, `+31 (0)${number}`), spellings, [null, '', `+31 ${number + 1}`]];
  }
  if (name.endsWith('email')) {
    const address = `${draw(text)}@Example.com`;
    return [address, [address, address.toLowerCase()], [null, '', 'other@example.com']];
  }
  switch (scalar) {
    case 'ID': {
      const same = draw(id);
      const spellings = [same, { id: same }, [{ id: same }], `Euro - EUR - ${same}`, { id: 'Z', key: same }];
      return [same, spellings, [null, '', [], 'ZZZ', { id: 'ZZZ' }]];
    }
    case 'DateTime': {
      const seconds = draw(fc.integer({ min: 0, max: 2_000_000_000 }));
      const whole = new Date(seconds * 1000).toISOString().slice(0, 19);
      const sent = oneOf(`${seconds}`, `${seconds}.5`, `${whole}Z`, `${whole}.123456789Z`);
      // Far from the time of another item, which would fit.
      return [DateTime.parse(sent), [seconds, String(seconds), `${whole}Z`, `${whole}+00:00`], [null, seconds + 1_000]];
    }
    case 'Decimal': {
      const thousandths = draw(fc.bigInt({ min: 1n, max: 10n ** 24n }));
      const decimal = (value: bigint) => `${value / 1000n}.${String(value % 1000n).padStart(3, '0')}`;
      const sent = decimal(thousandths);
      return [sent, [sent, `0${sent}00`], [null, decimal(thousandths + 1n), '0.000']];
    }
    case 'Float': {
      const number = draw(fc.integer({ min: 1, max: 10 ** 9 })) / 1000;
      return [number, [number, String(number), number.toFixed(4)], [null, number + 0.001, 0]];
    }
    case 'Boolean': {
      const value = draw(fc.boolean());
      return [value, [value, String(value)], [null, !value]];
    }
    default: {
      // No text is twice in an input: a label may also be found among those of other languages.
      const value = `${draw(text)}${path.join('')}`;
      return [oneOf(value, ` ${value}\n`), [value, ` ${value}`], [null, '', `${value}x`]];
    }
  }
}

function echo(type: GraphQLInputType, path: Path, draw: Draw): Echo {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const length = draw(fc.integer({ min: 0, max: 4 }));
    const items = Array.from({ length }, (_, index) => echo(nullable.ofType, [...path, index], draw));
    const order = draw(fc.shuffledSubarray(items, { minLength: length }));
    const losses = order.flatMap((item) =>
      item.losses.map((loss) => ({ ...loss, stored: order.map((each) => (each === item ? loss : each).stored) })),
    );
    return { sent: items.map(({ sent }) => sent), stored: order.map(({ stored }) => stored), losses };
  }
  if (!isInputObjectType(nullable)) {
    const [sent, spellings, others] = leaf(nullable.name, path, draw);
    return {
      sent,
      stored: draw(fc.constantFrom(...spellings)),
      losses: others.map((stored) => ({ path, stored })),
    };
  }
  const sent: Json = {};
  // The service shows null for what was not sent.
  let stored: Json = { id: draw(id) };
  let losses: Echo['losses'] = [];
  for (const field of Object.values(nullable.getFields())) {
    // The service chooses the first. The second needs `user_id` beside it to be absent.
    if (field.name === 'id' || (field.name === 'transaction' && path.length > 1) || field.name === 'user') continue;
    const key = field.name === 'user_id' ? 'user' : field.name;
    const isSent = draw(fc.boolean());
    const each: Echo = isSent
      ? echo(field.type, [...path, field.name], draw)
      : { sent: undefined, stored: null, losses: [] };
    const isTwin = field.type.toString().startsWith('ID') && key === field.name && draw(fc.boolean());
    const at = isTwin ? `${key}_details` : key;
    if (isSent) sent[field.name] = each.sent;
    losses = [
      ...losses.map((loss) => ({ ...loss, stored: { ...(loss.stored as Json), [at]: each.stored } })),
      ...each.losses.map((loss) => ({ ...loss, stored: { ...stored, [at]: loss.stored } })),
    ];
    stored = { ...stored, [at]: each.stored };
  }
  return { sent, stored, losses };
}

describe.each(writes.map(({ name, args }) => [name, args.find((arg) => arg.name === 'input')!.type] as const))(
  'the input of %s',
  (name, type) => {
    const args = (input: unknown) => (name.startsWith('update') ? { id: 'A', input } : { input });

    test('has no difference from an answer in another spelling, and one from an answer with a lost value', () => {
      fc.assert(
        fc.property(fc.gen(), (generate) => {
          const { sent, stored, losses } = echo(type, ['input'], (arbitrary) => generate(() => arbitrary));
          expect(differences(name, args(sent), stored)).toEqual([]);
          for (const loss of losses) {
            const found = differences(name, args(sent), loss.stored);
            // Another item of a list may fit better.
            const isOfItem = loss.path.some((step) => typeof step === 'number');
            expect(isOfItem ? found.length > 0 : found.map(({ path }) => path)).toEqual(isOfItem || [loss.path]);
          }
        }),
        // A failure of so large a value shrinks for minutes.
        { numRuns: 15, endOnFailure: true },
      );
    });
  },
);

const time = (value: string) => DateTime.parse(value);

describe('a value', () => {
  test.each<[what: string, name: string, input: object, stored: Json]>([
    ['an internal number that became an id', 'createFarmer', { buyer: '3' }, { buyer: 'JZMN42P4DX' }],
    ['a code of a currency', 'createProductTransaction', { currency: 'EUR' }, { currency_details: { code: 'EUR' } }],
    ['a code in the text of a currency', 'createCompany', { currency: 'EUR' }, { currency: 'Euro - EUR - JZMN42P4DX' }],
    [
      'a label in another language',
      'createForm',
      { fields: [{ label: 'A' }] },
      { fields: [{ label: 'B', label_fr: 'A' }] },
    ],
    [
      'JSON text that became JSON',
      'createForm',
      { fields: [{ options: '{"a": 1}' }] },
      { fields: [{ options: { a: 1 } }] },
    ],
    ['the JSON text null', 'createForm', { fields: [{ options: 'null' }] }, { fields: [{ options: '{}' }] }],
    ['null in a new object', 'createFarmer', { number: null, city: '' }, { number: '1042', city: null }],
    ['null that became a default', 'updateCompany', { city: null, latitude: null }, { city: '', latitude: 0 }],
    ['a field that the answer lacks', 'createFarmer', { city: 'Ho' }, {}],
    ['the rounding of binary floating point', 'createPremium', { amount: 0.1 + 0.2 }, { amount: 0.3 }],
    [
      'a fraction of a second',
      'createFarmer',
      { created_on: time('2026-03-01T08:15:30.9Z') },
      { created_on: '1772352930' },
    ],
    ['an id where the answer has no object', 'createEntityCard', { card: { card_id: 'C' } }, { card: 'JZMN42P4DX' }],
  ])('is stored: %s', (_what, name, input, stored) => {
    const args = name.startsWith('update') ? { id: 'A', input } : { input };
    expect(differences(name, args, stored)).toEqual([]);
  });

  test.each<[what: string, name: string, input: object, stored: Json, path: Path]>([
    ['null for an update that keeps the value', 'updateCompany', { city: null }, { city: 'Ho' }, ['city']],
    ['an internal number that became null', 'createFarmer', { buyer: '3' }, { buyer: null }, ['buyer']],
    [
      'the 16th digit',
      'createProductTransaction',
      { amount: '9999999999999.999' },
      { amount: 9999999999999.998 },
      ['amount'],
    ],
    ['a list that became null', 'createPremium', { options: [{ name: 'A' }] }, { options: null }, ['options']],
    ['a nested object that became null', 'createEntityCard', { card: { card_id: 'C' } }, { card: null }, ['card']],
    ['a text without its inner space', 'createFarmer', { city: 'Ho Ho' }, { city: 'HoHo' }, ['city']],
    ['a leading zero of a text', 'createFarmer', { number: '007' }, { number: 7 }, ['number']],
  ])('is lost: %s', (_what, name, input, stored, path) => {
    const args = name.startsWith('update') ? { id: 'A', input } : { input };
    expect(differences(name, args, stored).map((each) => each.path)).toEqual([['input', ...path]]);
  });

  test('that is another time is shown in the form of the input', () => {
    const input = { created_on: time('2026-03-01T08:15:30Z') };
    const [difference] = differences('createFarmer', { input }, { created_on: '1772352931' });
    expect(difference?.message).toBe('Sent "2026-03-01T08:15:30Z"; the service stores "2026-03-01T08:15:31Z".');
  });

  test('in a list of thousands is found before or behind an item that the service adds', () => {
    const payments = Array.from({ length: 2_000 }, (_, index) => ({ premium: 'A', amount: index + 1 }));
    const own = { premium: null, amount: 0 };
    const reverse = payments.toReversed();
    for (const stored of [
      [own, ...payments],
      [...payments, own],
      [own, ...reverse],
      [...reverse, own],
    ]) {
      const args = { input: { transaction_payments: payments } };
      expect(differences('createProductTransaction', args, { transaction_payments: stored })).toEqual([]);
    }
  });

  test('in a list of thousands is compared in the order sent or in the reverse order', () => {
    const fields = Array.from({ length: 5_000 }, (_, index) => ({ label: `Field ${index}`, required: true }));
    expect(differences('createForm', { input: { fields } }, { fields })).toEqual([]);
    expect(differences('createForm', { input: { fields } }, { fields: fields.toReversed() })).toEqual([]);
    const stored = fields.map((field) => ({ ...field, required: false }));
    expect(differences('createForm', { input: { fields } }, { fields: stored })).toHaveLength(5_000);
  });
});
