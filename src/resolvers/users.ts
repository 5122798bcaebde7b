import type { Resolvers } from '../generated/graph.ts';
import { updateUserGuard } from './guards.ts';
import { byId, write } from './root.ts';

export const users: Resolvers = {
  Query: { user: byId('User') },
  Mutation: { updateUser: write('updateUser', 'User', updateUserGuard) },
};
