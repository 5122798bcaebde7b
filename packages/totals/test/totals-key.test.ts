import { expect, test } from 'vitest';
import { changedContract } from '../../../test/contract/changed-contract.ts';

const path = '/transactions/product-transactions/';
const place = `paths.${path}.get.x-totals`;

// biome-ignore lint/suspicious/noExplicitAny: tests change whatever the document has
type Key = any;

test.each<[string, (key: Key) => void, string]>([
  [
    'groups by a number',
    (key) => key.groupBy.push('quantity'),
    '.groupBy: ProductTransaction.quantity is no reference, enum or text',
  ],
  [
    'groups by a list',
    (key) => key.groupBy.push('parents'),
    '.groupBy: ProductTransaction.parents is no reference, enum or text',
  ],
  ['groups twice by one property', (key) => key.groupBy.push('source'), ': a total has two fields `source`'],
  [
    'takes the month of a number',
    (key) => Object.assign(key, { month: 'amount' }),
    '.month: ProductTransaction.amount is no time',
  ],
  [
    'has a unit that refers to nothing',
    (key) => Object.assign(key, { unit: 'number' }),
    '.unit: ProductTransaction.number refers to no object',
  ],
  ['sums texts', (key) => key.sums.push('number'), '.sums: ProductTransaction.number is no number'],
  [
    'sums inside what is no list',
    (key) => Object.assign(key.inside[0], { of: 'card_details' }),
    '.inside.0.of: ProductTransaction.card_details embeds no list',
  ],
  [
    'divides inside by a number',
    (key) => Object.assign(key.inside[0], { by: 'amount' }),
    '.inside.0.by: PaymentTransaction.amount refers to no object',
  ],
  [
    'adds to an unknown type',
    (key) => Object.assign(key.on[0], { type: 'Ship' }),
    '.on.0.type: the service has no type Ship',
  ],
  [
    'adds a field that there is',
    (key) => Object.assign(key.on[0], { field: 'phone' }),
    '.on.0.field: Farmer has a property phone',
  ],
  [
    'adds a field that a dialect has',
    (key) => Object.assign(key.on[0], { field: 'plots' }),
    '.on.0.field: Farmer has a property plots',
  ],
  [
    'follows what refers to another type',
    (key) => Object.assign(key.on[0], { of: ['product'] }),
    '.on.0.of: ProductTransaction.product does not refer to Farmer',
  ],
  [
    'asks by a parameter that the list lacks',
    (key) => Object.assign(key.on[0], { by: 'farmer' }),
    '.on.0.by: the list has no parameter farmer',
  ],
  [
    'balances what refers to another type',
    (key) => Object.assign(key.balances[0], { out: 'card' }),
    '.balances.0.out: ProductTransaction.card does not refer to Company',
  ],
  [
    'balances texts',
    (key) => Object.assign(key.balances[0], { left: 'number' }),
    '.balances.0.left: ProductTransaction.number is no number',
  ],
  ['has an unknown key', (key) => Object.assign(key, { average: true }), '.average: not a known key'],
])('the generator names the place of an `x-totals` that %s', async (_what, change, message) => {
  const changed = changedContract(({ paths }) => change(paths[path].get['x-totals']));
  await expect(changed).rejects.toThrow(place + message);
});

test('the generator refuses totals at a GET of one object', async () => {
  const changed = changedContract(({ paths }) => {
    paths[`${path}{hashid}/`].get['x-totals'] = { groupBy: ['product'] };
  });
  await expect(changed).rejects.toThrow('x-totals: needs a list without an id in its path');
});
