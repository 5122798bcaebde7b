import { findCurrency, type PremiumOption, showCurrency, showPremium } from './catalogs.ts';
import type { Company } from './companies.ts';
import { createdThenShown, type Endpoints, ok } from './framework/endpoint.ts';
import {
  type Body,
  type Field,
  list,
  nullable,
  number,
  object,
  reference,
  refuseFields,
  required,
  text,
} from './framework/fields.ts';
import { type Filters, page, time } from './framework/page.ts';
import { Crash, invalid, notFound } from './framework/refusal.ts';
import type { Session } from './framework/session.ts';
import { type Condition, equal, ofKind } from './framework/store.ts';
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

export const endpoints: Endpoints = {
  createPaymentTransaction: {
    method: 'POST',
    template: '/transactions/payment-transactions/',
    answer: (session, { body }) => {
      const payment = session.connect
        ? addConnectPayment(session, connectPaymentField.read(body, session))
        : addPayment(session, paymentField.read(body, session));
      return createdThenShown(() => showPayment(session, payment));
    },
  },
  listPaymentTransactions: {
    method: 'GET',
    template: '/transactions/payment-transactions/',
    answer: (session, request) => {
      if (session.connect && request.query.has('updated_before')) throw new Crash();
      return ok(
        page(session, request, {
          table: 'movement',
          where: [
            ofKind('payment'),
            visibleTo(session),
            ...(session.connect ? [equal('payment_type', 'PREMIUM')] : []),
          ],
          connectFilters,
          newerFilters,
          show: (row: PaymentTransaction) => showPayment(session, row),
        }),
      );
    },
  },
  getPaymentTransaction: {
    method: 'GET',
    template: '/transactions/payment-transactions/{hashid}/',
    answer: (session, { id }) => ok(showPayment(session, find(session, id))),
  },
  uploadInvoice: {
    method: 'PATCH',
    template: '/transactions/payment-transactions/{hashid}/invoice/',
    streams: true,
    async answer(session, { id, receiveFile }) {
      find(session, id);
      const { path } = await receiveFile('invoice');
      session.store.transaction(() =>
        session.store.update('movement', { ...find(session, id), invoice: path, ...revision(session, {}) }),
      );
      return { ...ok({ id, invoice: session.innerUrlOf(path) }), detail: 'Success.' };
    },
  },
};

/** The older version of the real service compares `updated_after` with the time of creation. */
const connectFilters: Filters = {
  payment_type: ofType,
  updated_after: time('created >='),
};
const newerFilters: Filters = { updated_after: time('updated >='), created_after: time('created >=') };

function ofType(type: string): Condition {
  if (['TRANSACTION', 'PREMIUM', 'TRANSACTION_PREMIUM'].includes(type)) return equal('payment_type', type);
  throw invalid({ payment_type: [`Select a valid choice. ${type} is not one of the available choices.`] });
}

const premiumFields = {
  amount: number,
  premium: nullable(reference('premium')),
  // `withItsOption` compares it with the options of the premium.
  selected_option: nullable(text({ min: 1 })),
};

export const paymentFields = {
  ...movementFields,
  ...premiumFields,
  source: reference('entity'),
  destination: reference('entity'),
  transaction: nullable(reference('movement', 'product')),
  submissions: list(reference('submission')),
  ...datedAuthorFields,
};
const parties = { source: required(paymentFields.source), destination: required(paymentFields.destination) };

/** A payment inside a product transaction. The real service takes fewer fields. */
export const nestedPaymentField: Field<Body<typeof paymentFields>> = withItsOption({
  read: (value, session) => (session.connect ? object(premiumFields) : object(paymentFields)).read(value, session),
});
/** The specification takes ids of submissions, the real service nested submissions. */
export const paymentField = withReason(withItsOption(object({ ...paymentFields, ...parties })));
export const connectPaymentField = withReason(
  withItsOption(object({ ...paymentFields, ...parties, submissions: list(submissionField) })),
);

type PaymentBody = Body<typeof paymentFields>;

export interface PaymentTransaction extends Movement {
  amount: number;
  payment_type: 'TRANSACTION' | 'PREMIUM' | 'TRANSACTION_PREMIUM';
  premium: string | null;
  selected_option: string | null;
  transaction: string | null;
  submissions: string[];
}

type PremiumChoice = Pick<PaymentBody, 'premium' | 'selected_option'>;

function withItsOption<T extends PremiumChoice>(field: Field<T>): Field<T> {
  return {
    read(value, session) {
      const body = field.read(value, session);
      if (!body.selected_option || findOption(session, body)) return body;
      if (!session.connect) {
        return refuseFields({ selected_option: [`Invalid pk "${body.selected_option}" - object does not exist.`] });
      }
      const premium = body.premium ? session.store.get('premium', body.premium) : undefined;
      // The real service stores the payment, and fails to show it.
      return premium?.calculation_type === 'OPTIONS' ? body : { ...body, selected_option: null };
    },
  };
}

/** A payment is for a premium, for a transaction, or for both. */
function withReason<T extends Pick<PaymentBody, 'premium' | 'transaction'>>(field: Field<T>): Field<T> {
  return {
    read(value, session) {
      const body = field.read(value, session);
      if (body.premium || body.transaction) return body;
      if (session.connect) throw new Crash();
      return refuseFields({ non_field_errors: ['Either premium or transaction is required.'] });
    },
  };
}

function findOption(session: Session, { premium, selected_option }: PremiumChoice): PremiumOption | undefined {
  const found = premium ? session.store.get('premium', premium) : undefined;
  return found?.options.find(({ id }) => id === selected_option);
}

/** The real service crashes on a payment whose option is none of its premium. */
function showOption(session: Session, payment: PaymentTransaction): PremiumOption | object {
  const option = findOption(session, payment);
  if (payment.selected_option && !option) throw new Crash();
  return option ?? {};
}

export function addConnectPayment(session: Session, sent: ReturnType<typeof connectPaymentField.read>) {
  const submissions = (sent.submissions ?? []).map((submission) => addSubmission(session, submission).id);
  return addPayment(session, { ...sent, submissions });
}

type Parties = { source: string; destination: string };

/** Takes absent fields from the transaction that the payment is for. The destination of the goods pays. */
export function addPayment(session: Session, sent: PaymentBody & Parties): PaymentTransaction {
  const paid = sent.transaction ? (session.store.get('movement', sent.transaction) as Movement) : undefined;
  const body = { ...paid, ...sent, ...(session.connect && paid), ...(session.connect && paid && swapped(paid)) };
  const id = session.store.nextId('movement');
  const authored = authorship(session, { ...sent, ...(paid && { created_on: body.created_on }) });
  const payment: PaymentTransaction = {
    id,
    source: body.source,
    destination: body.destination,
    currency: paymentCurrency(session, sent.currency ?? paid?.currency),
    number: sent.number || nextNumber(session),
    date: body.date ?? authored.created_on,
    invoice: null,
    invoice_number: body.invoice_number ?? '',
    verification_latitude: body.verification_latitude ?? 0,
    verification_longitude: body.verification_longitude ?? 0,
    card: body.card ?? null,
    amount: sent.amount ?? 0,
    payment_type: paid ? (sent.premium ? 'TRANSACTION_PREMIUM' : 'TRANSACTION') : 'PREMIUM',
    premium: sent.premium ?? null,
    selected_option: sent.selected_option ?? null,
    transaction: sent.transaction ?? null,
    submissions: sent.submissions ?? [],
    ...authored,
  };
  return session.store.insert('movement', payment, 'payment');
}

export const swapped = ({ source, destination }: Parties): Parties => ({ source: destination, destination: source });

/** The id of the currency sent, or of the currency of the caller's company. */
function paymentCurrency(session: Session, sent: string | undefined): string {
  const { currency } = session.store.get('entity', session.caller.company) as Company;
  return findCurrency(session, sent ?? currency ?? '');
}

/** The payments of a product transaction: its own first, then those of the body in the order sent. */
export function paymentsOf(session: Session, transaction: string): PaymentTransaction[] {
  return session.store.list('movement', [equal('transaction', transaction)]) as PaymentTransaction[];
}

export function showPayment(session: Session, payment: PaymentTransaction) {
  const { currency, submissions, ...others } = payment;
  const shown = {
    ...others,
    premium_details: showPremium(session, payment.premium),
    currency_details: showCurrency(session, currency),
    type: direction(session, payment),
    method: method(payment),
    invoice: session.urlOf(payment.invoice),
  };
  if (!session.connect) return { ...shown, currency, submissions };
  return {
    ...shown,
    submissions: submissions.map((id) => showSubmission(session, id)),
    selected_option_details: showOption(session, payment),
    comment: '',
  };
}

/** Within a product transaction the real service shows the premium and the amount only. */
export function showNestedPayment(session: Session, payment: PaymentTransaction) {
  if (!session.connect) return showPayment(session, payment);
  const { id, premium, selected_option, amount, payment_type } = payment;
  return {
    id,
    premium_details: showPremium(session, premium),
    selected_option_details: showOption(session, payment),
    payment_type,
    amount,
    selected_option,
    premium,
  };
}

/** The real service finds payments of premiums alone. It shows other payments inside their product transaction. */
function find(session: Session, id: string): PaymentTransaction {
  const found = session.store.get('movement', id, 'payment') as PaymentTransaction | undefined;
  if (!found || !isVisible(session, found)) throw notFound();
  if (session.connect && found.payment_type !== 'PREMIUM') throw notFound();
  return found;
}
