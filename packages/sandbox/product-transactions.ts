import { findCurrency, showCurrency } from './catalogs.ts';
import { showCard } from './entity-cards.ts';
import { addDecimals } from './framework/decimal.ts';
import { createdThenShown, type EndpointRequest, type Endpoints, ok } from './framework/endpoint.ts';
import { amount, type Body, decimal, list, nullable, number, object, reference, required } from './framework/fields.ts';
import { type Filters, page, time } from './framework/page.ts';
import { Crash, invalid, notFound } from './framework/refusal.ts';
import type { Session } from './framework/session.ts';
import { type Condition, either, equal, ofKind, type TableIndexes } from './framework/store.ts';
import {
  addPayment,
  nestedPaymentField,
  type PaymentTransaction,
  paymentsOf,
  showNestedPayment,
  swapped,
} from './payment-transactions.ts';
import { authorship, datedAuthorFields, revision } from './shared/authorship.ts';
import {
  direction,
  isVisible,
  type Movement,
  method,
  movementFields,
  nextNumber,
  visibleTo,
} from './shared/movements.ts';
import { addSubmission, showSubmission, submissionField } from './shared/submissions.ts';

declare module './framework/store.ts' {
  interface Tables {
    movement: ProductTransaction | PaymentTransaction;
  }
}

export const tables: TableIndexes = { movement: ['source', 'destination', 'creator', 'transaction'] };

export const endpoints: Endpoints = {
  createProductTransaction: {
    method: 'POST',
    template: '/transactions/product-transactions/',
    answer: (session, request) => {
      const { body } = request;
      const field = session.connect ? connectProductTransactionField : productTransactionField;
      const transaction = addProductTransaction(session, field.read(body, session));
      return createdThenShown(() => showProductTransaction(session, transaction, request));
    },
  },
  listProductTransactions: {
    method: 'GET',
    template: '/transactions/product-transactions/',
    answer: (session, request) =>
      ok(
        page(session, request, {
          table: 'movement',
          where: [
            showsDeleted(session, request) ? either(ofKind('product'), ofKind(deleted)) : ofKind('product'),
            visibleTo(session),
            ...available(session, request.query),
            ...(showsColleagues(session, request.query) ? [] : [equal('creator', session.caller.user)]),
          ],
          filters,
          newerFilters,
          olderFilters,
          show: (row: ProductTransaction) => showProductTransaction(session, row, request),
        }),
      ),
  },
  getProductTransaction: {
    method: 'GET',
    template: '/transactions/product-transactions/{hashid}/',
    answer: (session, request) => ok(showProductTransaction(session, find(session, request), request)),
  },
  deleteProductTransaction: {
    method: 'DELETE',
    template: '/transactions/product-transactions/{hashid}/',
    answer(session, request) {
      remove(session, find(session, request));
      return ok({});
    },
  },
};

function find(session: Session, request: EndpointRequest): ProductTransaction {
  const { id, query } = request;
  const kinds = showsDeleted(session, request) ? ['product', deleted] : ['product'];
  const [found] = kinds.flatMap((kind) => (session.store.get('movement', id, kind) as ProductTransaction) ?? []);
  if (!found || !isVisible(session, found)) throw notFound();
  if (!showsColleagues(session, query) && found.creator !== session.caller.user) throw notFound();
  return found;
}

/** The kind of deleted rows, which no reference and no other list finds. */
const deleted = 'deleted product';

/** Marks a transaction and its payments. The goods of its parents are there again. */
function remove(session: Session, transaction: ProductTransaction): void {
  const { store } = session;
  if (childrenOf(session, transaction.id).length > 0) {
    throw invalid({ non_field_errors: ['Other transactions have this one among their parents.'] });
  }
  store.update('movement', { ...transaction, ...revision(session, {}), is_deleted: true }, deleted);
  for (const payment of paymentsOf(session, transaction.id)) store.update('movement', payment, 'deleted payment');
  for (const id of transaction.parents) {
    const parent = store.get('movement', id, 'product') as ProductTransaction | undefined;
    if (parent && childrenOf(session, id).length === 0) {
      store.update('movement', { ...parent, current_quantity: parent.quantity });
    }
  }
}

function childrenOf({ store }: Session, parent: string) {
  const isParent = { sql: "EXISTS (SELECT 1 FROM json_each(doc, '$.parents') WHERE value = ?)", values: [parent] };
  return store.list('movement', [ofKind('product'), isParent]);
}

const fields = {
  ...movementFields,
  amount: required(amount),
  source: required(reference('entity')),
  destination: required(reference('entity')),
  product: required(reference('product')),
  quantity: nullable(decimal),
  quality_correction: number,
  parents: list(reference('movement', 'product')),
  submissions: list(submissionField),
  transaction_payments: list(nestedPaymentField),
  ...datedAuthorFields,
};

/** Without a currency the real service crashes, after its field checks. */
export const productTransactionFields = { ...fields, currency: required(fields.currency) };
export const productTransactionField = object(productTransactionFields);
export const connectProductTransactionField = object(fields);

export interface ProductTransaction extends Movement {
  amount: string;
  product: string;
  quantity: string | null;
  source_quantity: string | null;
  current_quantity: string | null;
  quality_correction: number;
  parents: string[];
  submissions: string[];
  is_deleted?: true;
}

export function addProductTransaction(session: Session, body: Body<typeof fields>): ProductTransaction {
  const { store } = session;
  if (body.currency === undefined) throw new Crash();
  const currency = findCurrency(session, body.currency);
  const parents = [...new Set(body.parents)].map((parent) => store.get('movement', parent) as ProductTransaction);
  if (session.connect) refuseUnsentGoods(session, body.source, parents);
  const id = store.nextId('movement');
  const authored = authorship(session, body);
  const quantity = body.quantity ?? null;
  const payments = body.transaction_payments ?? [];
  const otherAmount = session.connect ? payments.findLast(({ premium }) => !premium)?.amount : undefined;
  const transaction: ProductTransaction = {
    id,
    // The real service overwrites the amount with that of the last payment without a premium.
    amount: otherAmount === undefined ? body.amount : decimal.read(otherAmount, session),
    source: body.source,
    destination: body.destination,
    product: body.product,
    currency,
    number: body.number || nextNumber(session),
    date: body.date ?? authored.created_on,
    invoice: null,
    invoice_number: body.invoice_number ?? '',
    verification_latitude: body.verification_latitude ?? 0,
    verification_longitude: body.verification_longitude ?? 0,
    quality_correction: body.quality_correction ?? 100,
    quantity,
    source_quantity: parents.length > 0 ? addDecimals(parents.map((parent) => parent.quantity ?? '0.000')) : quantity,
    current_quantity: quantity,
    card: body.card ?? null,
    parents: parents.map((parent) => parent.id),
    submissions: (body.submissions ?? []).map((submission) => addSubmission(session, submission).id),
    ...authored,
  };
  store.insert('movement', transaction, 'product');
  // The service never splits a parent: a transaction takes all of its goods.
  for (const parent of parents) store.update('movement', { ...parent, current_quantity: '0.000' });
  const { creator, updater } = authored;
  const due = { ...swapped(transaction), currency, creator, updater };
  addPayment(session, { ...due, amount: Number(body.amount), transaction: id });
  for (const payment of payments) addPayment(session, { ...due, ...payment, transaction: id });
  return transaction;
}

function refuseUnsentGoods(session: Session, source: string, parents: ProductTransaction[]): void {
  if (source !== session.caller.company) return;
  if (parents.length === 0) throw invalid({ parents: ['This field is required for sending.'] });
  if (parents.some(({ destination }) => destination !== source)) {
    throw invalid({ parents: ['The destination of every parent must be the source.'] });
  }
}

const connectExtras = { base_price: 0, reference: null, send_seperately: false };

/** The older version of the real service does not mark deleted rows. */
export function showProductTransaction(
  session: Session,
  transaction: ProductTransaction,
  { olderFilters }: Pick<EndpointRequest, 'olderFilters'>,
) {
  const { currency, is_deleted = false, ...others } = transaction;
  const payments = paymentsOf(session, transaction.id).map((payment) => showNestedPayment(session, payment));
  const submissions = transaction.submissions.map((id) => showSubmission(session, id));
  const shown = {
    ...others,
    type: direction(session, transaction),
    card_details: showCard(session, transaction.card),
    currency_details: showCurrency(session, currency),
    invoice: session.urlOf(transaction.invoice),
    method: method(transaction),
  };
  if (!session.connect) return { ...shown, currency, transaction_payments: payments, submissions };
  return {
    ...shown,
    ...connectExtras,
    ...(!olderFilters && { is_deleted }),
    transaction_payments: payments.toReversed(),
    submissions: submissions.toReversed(),
  };
}

const filters: Filters = {
  updated_after: time('updated >='),
  created_after: time('created >='),
  updated_before: time('updated <'),
};

const newerFilters: Filters = { entity: (id) => either(equal('source', id), equal('destination', id)) };

/** The older version of the real service compares all times with the creation. */
const olderFilters: Filters = { updated_after: time('created >='), updated_before: time('created <') };

/** The condition of `only_quantity_available=true`. Other values filter nothing. */
function available(session: Session, query: URLSearchParams): Condition[] {
  if (query.get('only_quantity_available')?.toLowerCase() !== 'true') return [];
  const isLeft = { sql: "CAST(doc ->> 'current_quantity' AS REAL) > 0", values: [] };
  return [equal('destination', session.caller.company), isLeft];
}

/** Deleted rows come too with `reverse_sync=true`, in lists and by id. */
const showsDeleted = ({ connect }: Session, { query, olderFilters }: EndpointRequest) =>
  connect && !olderFilters && query.get('reverse_sync')?.toLowerCase() === 'true';

/** The real service hides the transactions of colleagues, except with `filter_by=all`. */
const showsColleagues = (session: Session, query: URLSearchParams) =>
  !session.connect || query.get('filter_by') === 'all';
