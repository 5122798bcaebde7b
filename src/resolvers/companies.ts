import type { Resolvers } from '../generated/graph.ts';
import { createCompanyGuard, updateCompanyGuard } from './guards.ts';
import { byId, write } from './root.ts';

export const companies: Resolvers = {
  Query: { company: byId('Company') },
  Mutation: {
    createCompany: write('createCompany', 'Company', createCompanyGuard),
    updateCompany: write('updateCompany', 'Company', updateCompanyGuard),
  },
};
