import type { Resolvers } from '../generated/graph.ts';
import { createPaymentTransactionGuard, invoiceMistakes } from './guards.ts';
import { byId, list, mutate, refuseMistakes, write } from './root.ts';

export const paymentTransactions: Resolvers = {
  Query: { paymentTransactions: list('listPaymentTransactions'), paymentTransaction: byId('PaymentTransaction') },
  Mutation: {
    createPaymentTransaction: write('createPaymentTransaction', 'PaymentTransaction', createPaymentTransactionGuard),
    uploadInvoice: mutate('PaymentTransaction', async ({ payment_transaction, invoice }, context) => {
      const { filename, mimetype, size, createReadStream } = await invoice;
      await refuseMistakes(context, () => invoiceMistakes(filename));
      const file = { filename, mimetype, size, stream: createReadStream() };
      return context.calls.write('uploadInvoice', { id: payment_transaction, file });
    }),
  },
};
