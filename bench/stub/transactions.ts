import { cards, currencies, premiums } from './catalogs.ts';
import { farmers } from './entities.ts';
import { submissionOf } from './forms.ts';
import { atLeast, hoursIn, idOf, pick } from './ids.ts';
import { userOf } from './users.ts';

/** Each block of 100 names 80 farmers as sources, 5 companies as destinations, 8 products and 10 creators. */
export const transactions = Array.from({ length: atLeast(5_000) }, (_, i) => {
  const block = Math.floor(i / 100);
  const currency = pick(currencies.slice(0, 6), i);
  const card = pick(cards, i);
  return {
    amount: `${1000 + i}.00`,
    source: sourceOf(i),
    destination: destinationOf(i),
    product: idOf('product', (block + (i % 8)) % 12),
    id: idOf('ptx', i),
    transaction_payments: paymentsOf(i),
    currency: currency.id,
    type: 'INCOMING',
    source_quantity: '0.000',
    current_quantity: `${i % 90}.000`,
    submissions: i % 4 === 0 ? [submissionOf(i, 'TRANSACTION')] : [],
    card_details: card,
    currency_details: currency,
    number: `T${10000 + i}`,
    date: hoursIn(i),
    created_on: hoursIn(i),
    updated_on: hoursIn(i + 1),
    invoice: null,
    invoice_number: null,
    verification_latitude: 1.5,
    verification_longitude: 30.5,
    method: 'CARD',
    quality_correction: 100,
    quantity: `${50 + (i % 400)}.000`,
    creator: userOf(block * 3 + (i % 10)),
    updater: userOf(i % 10),
    card: card.id,
    parents: [],
  };
});

export const payments = transactions.flatMap(({ transaction_payments }) => transaction_payments);

/** Two payments for each transaction: the amount itself, and a premium. */
function paymentsOf(i: number) {
  const currency = pick(currencies.slice(0, 6), i);
  return [null, pick(premiums, i)].map((premium, position) => ({
    source: destinationOf(i),
    destination: sourceOf(i),
    id: idOf('pay', i * 2 + position),
    premium_details: premium,
    currency_details: currency,
    type: 'OUTGOING',
    currency: currency.id,
    number: `P${10000 + i * 2 + position}`,
    updated_on: hoursIn(i),
    created_on: hoursIn(i),
    date: hoursIn(i),
    invoice: null,
    invoice_number: null,
    verification_latitude: 1.5,
    verification_longitude: 30.5,
    method: 'CARD',
    payment_type: premium ? 'PREMIUM' : 'TRANSACTION',
    amount: 100.5 + i + position,
    selected_option: null,
    creator: userOf(i % 10),
    updater: userOf(i % 10),
    card: pick(cards, i).id,
    premium: premium?.id ?? null,
    transaction: idOf('ptx', i),
    submissions: [],
  }));
}

/** Every fifth transaction has the farmer of the one before it: 80 sources in a block of 100. */
function sourceOf(i: number): string {
  return idOf('farmer', ((i % 5 === 4 ? i - 1 : i) * 13) % farmers.length);
}

function destinationOf(i: number): string {
  return idOf('company', (Math.floor(i / 100) * 5 + (i % 5)) % 25);
}
