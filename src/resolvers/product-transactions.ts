import type { Resolvers } from '../generated/graph.ts';
import { requireOptionIds } from './connect-guards.ts';
import { byId, list, mutate, sendBody } from './root.ts';

export const productTransactions: Resolvers = {
  Query: { productTransactions: list('listProductTransactions'), productTransaction: byId('ProductTransaction') },
  Mutation: {
    createProductTransaction: mutate('ProductTransaction', ({ input }, context) => {
      const payments = (input.transaction_payments ?? []).map((payment, index) => ({
        path: ['input', 'transaction_payments', index],
        payment,
      }));
      if (context.service.dialect === 'connect') requireOptionIds(payments);
      return sendBody(context, 'createProductTransaction', input);
    }),
  },
};
