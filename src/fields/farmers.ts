import type { Resolvers } from '../generated/graph.ts';

export const farmers: Resolvers = {
  Farmer: {
    name: (farmer) => {
      const { name, first_name, last_name } = farmer as typeof farmer & { name?: string };
      return name ?? ([first_name, last_name].filter(Boolean).join(' ') || null);
    },
  },
};
