import type { Resolvers } from '../generated/graph.ts';
import { byId, list, write } from './root.ts';

export const farmers: Resolvers = {
  Query: { farmers: list('listFarmers'), farmer: byId('Farmer') },
  Mutation: { createFarmer: write('createFarmer', 'Farmer') },
  Farmer: {
    name: (farmer) => {
      const { name, first_name, last_name } = farmer as typeof farmer & { name?: string };
      return name ?? ([first_name, last_name].filter(Boolean).join(' ') || null);
    },
  },
};
