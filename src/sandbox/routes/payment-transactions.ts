import { created, type Endpoint, ok } from '../endpoint.ts';
import { page } from '../page.ts';
import { Crash, notFound } from '../refusal.ts';
import { revision } from '../resources/authorship.ts';
import { invoiceUrl, isVisible, visibleTo } from '../resources/movements.ts';
import {
  addConnectPayment,
  addPayment,
  connectPaymentField,
  type PaymentTransaction,
  paymentField,
  showPayment,
} from '../resources/payment-transactions.ts';
import type { Session } from '../session.ts';
import { equal } from '../store.ts';

export const paymentTransactions: Endpoint[] = [
  {
    method: 'POST',
    template: '/transactions/payment-transactions/',
    answer: (session, { body }) => {
      const payment = session.connect
        ? addConnectPayment(session, connectPaymentField.read(body, session))
        : addPayment(session, paymentField.read(body, session));
      return created(showPayment(session, payment));
    },
  },
  {
    method: 'GET',
    template: '/transactions/payment-transactions/',
    answer: (session, request) => {
      if (session.connect && request.query.has('updated_before')) throw new Crash();
      return ok(
        page<PaymentTransaction>(session, request, {
          table: 'movement',
          where: [
            equal('kind', 'payment'),
            visibleTo(session),
            ...(session.connect ? [equal("doc ->> 'payment_type'", 'PREMIUM')] : []),
          ],
          show: (row) => showPayment(session, row),
        }),
      );
    },
  },
  {
    method: 'GET',
    template: '/transactions/payment-transactions/{hashid}/',
    answer: (session, { id }) => ok(showPayment(session, find(session, id))),
  },
  {
    method: 'PATCH',
    template: '/transactions/payment-transactions/{hashid}/invoice/',
    streams: true,
    async answer(session, { id, receiveFile }) {
      find(session, id);
      const { path } = await receiveFile('invoice');
      const payment = session.store.transaction(() =>
        session.store.update('movement', { ...find(session, id), invoice: path, ...revision(session, {}) }),
      );
      const invoice = session.connect ? path : invoiceUrl(session, payment);
      return { ...ok({ id, invoice }), detail: 'Success.' };
    },
  },
];

/** The newest real service knows premium payments only: those of a product transaction live inside it. */
function find(session: Session, id: string): PaymentTransaction {
  const found = session.store.get('movement', id, 'payment') as PaymentTransaction | undefined;
  if (!found || !isVisible(session, found)) throw notFound();
  if (session.connect && found.payment_type !== 'PREMIUM') throw notFound();
  return found;
}
