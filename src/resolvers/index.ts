import { catalogs } from './catalogs.ts';
import { companies } from './companies.ts';
import { companyMembers } from './company-members.ts';
import { entity } from './entity.ts';
import { entityCards } from './entity-cards.ts';
import { farmers } from './farmers.ts';
import { forms } from './forms.ts';
import { paymentTransactions } from './payment-transactions.ts';
import { productTransactions } from './product-transactions.ts';
import { referenceResolvers } from './references.ts';
import { scalars } from './scalars.ts';
import { sync } from './sync.ts';
import { users } from './users.ts';

export const resolvers = [
  scalars,
  referenceResolvers,
  farmers,
  companies,
  companyMembers,
  users,
  entityCards,
  catalogs,
  forms,
  productTransactions,
  paymentTransactions,
  entity,
  sync,
];
