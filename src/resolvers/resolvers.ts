import { companyMembers } from './company-members.ts';
import { farmers } from './farmers.ts';
import { forms } from './forms.ts';
import { paymentTransactions } from './payment-transactions.ts';
import { referenceResolvers } from './references.ts';
import { rootResolvers } from './root.ts';
import { scalars } from './scalars.ts';
import { serverTime } from './server-time.ts';

/** A later entry takes the place of an earlier one: root fields come from the contract, but for the exceptions after them. */
export const resolvers = [
  scalars,
  referenceResolvers,
  rootResolvers,
  farmers,
  companyMembers,
  forms,
  paymentTransactions,
  serverTime,
];
