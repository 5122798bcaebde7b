import type { Resolvers } from '../generated/graph.ts';
import { booleanIn } from './loose-values.ts';

export const users: Resolvers = {
  User: {
    current_policy_accepted: ({ policy_accepted }) => booleanIn(policy_accepted),
  },
};
