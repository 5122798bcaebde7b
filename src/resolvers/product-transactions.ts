import type { Resolvers } from '../generated/graph.ts';
import { createProductTransactionGuard } from './guards.ts';
import { byId, list, write } from './root.ts';

export const productTransactions: Resolvers = {
  Query: { productTransactions: list('listProductTransactions'), productTransaction: byId('ProductTransaction') },
  Mutation: {
    createProductTransaction: write('createProductTransaction', 'ProductTransaction', createProductTransactionGuard),
  },
};
