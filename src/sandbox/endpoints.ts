import type { Endpoint } from './endpoint.ts';
import { catalogs } from './routes/catalogs.ts';
import { companies } from './routes/companies.ts';
import { companyMembers } from './routes/company-members.ts';
import { entityCards } from './routes/entity-cards.ts';
import { farmers } from './routes/farmers.ts';
import { forms } from './routes/forms.ts';
import { paymentTransactions } from './routes/payment-transactions.ts';
import { productTransactions } from './routes/product-transactions.ts';
import { users } from './routes/users.ts';

/** The endpoints of the interface specification, in its order. */
export const endpoints: Endpoint[] = [
  ...farmers,
  ...companies,
  ...companyMembers,
  ...users,
  ...entityCards,
  ...catalogs,
  ...forms,
  ...productTransactions,
  ...paymentTransactions,
];
