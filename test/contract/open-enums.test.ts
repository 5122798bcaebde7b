import { isEnumType, isObjectType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { executableSchema } from '../../packages/rest-graph/graph/schema.ts';
import { traceability } from '../../src/app.ts';
import { endpoints, kinds } from '../../src/generated/contract.ts';
import { page, type RecordedService, startRecordedService } from '../support/recorded-service.ts';

let service: RecordedService;
beforeAll(async () => {
  service = await startRecordedService();
});
afterAll(() => service.close());

/** Names of the fields with an enum, by type of the service. */
const enums = Object.fromEntries(
  Object.values(executableSchema(traceability).getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) || !(type.name in kinds)) return [];
    const fields = Object.values(type.getFields()).filter((field) => isEnumType(field.type));
    return fields.length > 0 ? [[type.name, fields.map(({ name }) => name)]] : [];
  }),
);

/** An object of a type, with one value for all enums. */
const objectWith = (type: string, value: unknown) =>
  Object.fromEntries([['id', type], ...enums[type]!.map((field) => [field, value])]);
const selectionOf = (type: string) => enums[type]!.map((field) => `${field} ${field}_raw`).join(' ');
const shownOf = (type: string, value: unknown, raw: unknown) =>
  Object.fromEntries(enums[type]!.flatMap((field) => Object.entries({ [field]: value, [`${field}_raw`]: raw })));

/** Types with an enum that a row of `productTransactions` shows. The lists of the others show theirs. */
const inTransactions = ['Form', 'PaymentTransaction', 'Premium', 'ProductTransaction'];
const lists = Object.values(endpoints).filter(
  ({ does, kind }) => does === 'list' && enums[kind] && !inTransactions.includes(kind),
);

const document = `{
  ${lists.map(({ rootField, kind }) => `${rootField} { results { ${selectionOf(kind)} } }`).join('\n  ')}
  productTransactions {
    results {
      ${selectionOf('ProductTransaction')}
      transaction_payments { ${selectionOf('PaymentTransaction')} premium { ${selectionOf('Premium')} } }
      submissions { form { ${selectionOf('Form')} } }
    }
  }
}`;

function answerWith(value: unknown): void {
  const premium_details = objectWith('Premium', value);
  const payment = { ...objectWith('PaymentTransaction', value), premium_details };
  const submission = { id: 'S', form_details: objectWith('Form', value) };
  const transaction = {
    ...objectWith('ProductTransaction', value),
    transaction_payments: [payment],
    submissions: [submission],
  };
  service.answerWith({
    ...Object.fromEntries(lists.map(({ path, kind }) => [`GET ${path}`, page([objectWith(kind, value)])])),
    'GET /transactions/product-transactions/': page([transaction]),
  });
}

function shown(value: unknown, raw: unknown) {
  const payment = { ...shownOf('PaymentTransaction', value, raw), premium: shownOf('Premium', value, raw) };
  const transaction = {
    ...shownOf('ProductTransaction', value, raw),
    transaction_payments: [payment],
    submissions: [{ form: shownOf('Form', value, raw) }],
  };
  return {
    ...Object.fromEntries(lists.map(({ rootField, kind }) => [rootField, { results: [shownOf(kind, value, raw)] }])),
    productTransactions: { results: [transaction] },
  };
}

test('every enum of an answer has a place in the document of these tests', () => {
  const types = [...inTransactions, ...lists.map(({ kind }) => kind)];
  expect(Object.keys(enums).toSorted()).toEqual(types.toSorted());
});

test.each(['BLOCKCHAIN', '', 'UNKNOWN_VALUE'])(
  'the text %j is UNKNOWN_VALUE in every enum, without an error',
  async (text) => {
    answerWith(text);
    const { data, errors } = await service.query(document);
    expect(errors).toEqual([]);
    expect(data).toEqual(shown('UNKNOWN_VALUE', text));
  },
);

test('null in an enum is null without an error', async () => {
  answerWith(null);
  const { data, errors } = await service.query(document);
  expect(errors).toEqual([]);
  expect(data).toEqual(shown(null, null));
});

test('a number in an enum is null with one error for each, beside its digits', async () => {
  answerWith(7);
  const { data, errors } = await service.query(document);
  expect(data).toEqual(shown(null, '7'));
  expect(errors).toHaveLength(Object.values(enums).flat().length);
  for (const error of errors) expect(error.extensions.code).toBe('UPSTREAM_INVALID_RESPONSE');
});
