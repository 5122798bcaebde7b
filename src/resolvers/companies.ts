import type { Resolvers } from '../generated/graph.ts';
import { byId, write } from './root.ts';

export const companies: Resolvers = {
  Query: { company: byId('Company') },
  Mutation: { createCompany: write('createCompany', 'Company'), updateCompany: write('updateCompany', 'Company') },
};
