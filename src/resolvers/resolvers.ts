import type { Contract } from '../contract/contract.ts';
import { farmers } from './farmers.ts';
import { forms } from './forms.ts';
import { rawTexts } from './open-enums.ts';
import { ownObjects } from './own-objects.ts';
import { paymentTransactions } from './payment-transactions.ts';
import { products } from './products.ts';
import { push } from './push/push.ts';
import { referenceResolvers } from './references.ts';
import { rootResolvers } from './root.ts';
import { scalars } from './scalars.ts';
import { serverTime } from './server-time.ts';
import { users } from './users.ts';
import { wayBackResolvers } from './ways-back.ts';

/** Later entries replace earlier ones: root fields follow from the contract, except for those after `rootResolvers`. */
export const resolversOf = (contract: Contract) => [
  scalars,
  referenceResolvers(contract),
  wayBackResolvers(contract),
  rawTexts(contract),
  rootResolvers(contract),
  ownObjects,
  farmers,
  forms,
  paymentTransactions,
  products,
  push,
  users,
  serverTime,
];
