import type { Resolvers } from '../generated/graph.ts';
import { requireOptionIds } from './connect-guards.ts';
import { byId, list, mutate, sendBody } from './root.ts';

export const paymentTransactions: Resolvers = {
  Query: { paymentTransactions: list('listPaymentTransactions'), paymentTransaction: byId('PaymentTransaction') },
  Mutation: {
    createPaymentTransaction: mutate('PaymentTransaction', ({ input }, context) => {
      if (context.service.dialect === 'connect') requireOptionIds([{ path: ['input'], payment: input }]);
      return sendBody(context, 'createPaymentTransaction', input);
    }),
    uploadInvoice: mutate('PaymentTransaction', async ({ payment_transaction, invoice }, context) => {
      const { filename, mimetype, size, createReadStream } = await invoice;
      const file = { filename, mimetype, size, stream: createReadStream() };
      return context.write('uploadInvoice', { id: payment_transaction, file });
    }),
  },
};
