import type { Resolvers } from '../generated/graph.ts';
import { list, write } from './root.ts';

export const catalogs: Resolvers = {
  Query: { products: list('listProducts'), cards: list('listCards'), currencies: list('listCurrencies') },
  Mutation: { createPremium: write('createPremium', 'Premium') },
};
