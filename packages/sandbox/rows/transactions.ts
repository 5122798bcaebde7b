import type { Premium, Product } from '../catalogs.ts';
import { addDecimals } from '../framework/decimal.ts';
import { buyer, coop } from '../framework/keys.ts';
import type { PaymentTransactionRow, ProductTransactionRow } from '../framework/options.ts';
import type { Store } from '../framework/store.ts';
import { addPayment, paymentField, paymentFields } from '../payment-transactions.ts';
import {
  addProductTransaction,
  type ProductTransaction,
  productTransactionField,
  productTransactionFields,
} from '../product-transactions.ts';
import { priceOf } from '../seed/catalogs.ts';
import { nextNumber } from '../shared/movements.ts';
import { cardOf } from './cards.ts';
import { rowSource } from './row-source.ts';

export const productTransactions = rowSource<ProductTransactionRow>()({
  table: 'movement',
  fields: productTransactionFields,
  field: productTransactionField,
  fill(row, place) {
    const { store, random, createdOn } = place;
    const parents = (row.parents ?? []).flatMap((id) => goodsOf(store, id) ?? []);
    const [parent] = parents;
    const source = row.source ?? (parent ? coop.company : place.next('farmers', 'source').id);
    const product = row.product ?? parent?.product ?? place.next('products', 'product').id;
    const quantity = parent
      ? addDecimals(parents.map((each) => each.quantity ?? '0.000'))
      : `${random.integer(8, 420)}.000`;
    const { name = '' } = (store.get('product', product) as Product | undefined) ?? {};
    return {
      source,
      destination: parent ? buyer.company : coop.company,
      product,
      quantity,
      amount: (Number(row.quantity ?? quantity) * priceOf(name)).toFixed(3),
      currency: 'USD',
      number: nextNumber(place),
      date: createdOn,
      card: cardOf(store, source),
    };
  },
  add: addProductTransaction,
});

export const paymentTransactions = rowSource<PaymentTransactionRow>()({
  table: 'movement',
  fields: paymentFields,
  field: paymentField,
  fill(row, place) {
    const { store, createdOn } = place;
    const paid = row.transaction ? goodsOf(store, row.transaction) : undefined;
    const premium = row.premium ?? (row.transaction ? null : place.next('premiums', 'premium').id);
    const { amount } = (premium ? (store.get('premium', premium) as Premium | undefined) : undefined) ?? {};
    const destination = row.destination ?? paid?.source ?? place.next('farmers', 'destination').id;
    return {
      premium,
      source: paid?.destination ?? coop.company,
      destination,
      amount: amount ?? Number(paid?.amount ?? 40),
      currency: 'USD',
      number: nextNumber(place),
      date: createdOn,
      card: cardOf(store, destination),
    };
  },
  add: (session, body) => addPayment(session, body as Parameters<typeof addPayment>[1]),
});

function goodsOf(store: Store, id: string): ProductTransaction | undefined {
  return store.get('movement', id, 'product') as ProductTransaction | undefined;
}
