import { idsOf } from '@gateway/rest-graph';
import type { Resolvers } from '../generated/graph.ts';
import { booleanIn, listIn } from './loose-values.ts';

export const products: Resolvers = {
  Product: {
    active: ({ is_active }) => booleanIn(is_active),
    premium_ids: ({ premiums }, _args, context, info) => {
      const items = listIn(premiums);
      return items && idsOf(items, context, info);
    },
  },
};
