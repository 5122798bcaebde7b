import type { Resolvers } from '../generated/graph.ts';
import { createFormGuard } from './connect-guards.ts';
import { write } from './root.ts';

export const forms: Resolvers = {
  Mutation: { createForm: write('createForm', 'Form', createFormGuard) },
};
