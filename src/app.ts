import { readFileSync } from 'node:fs';
import type { App } from '@gateway/rest-graph';
import type { AppSettings } from './app-settings.ts';
import { farmers } from './fields/farmers.ts';
import { forms } from './fields/forms.ts';
import { ownObjects } from './fields/own-objects.ts';
import { products } from './fields/products.ts';
import { users } from './fields/users.ts';
import { serviceContract } from './service-contract.ts';
import { guardOf } from './writes/guards.ts';
import { learnParts } from './writes/parts.ts';
import { storedValues } from './writes/stored-values.ts';
import { emailTaken } from './writes/taken-email.ts';

/** The traceability service. */
export const traceability = {
  contract: serviceContract,
  typeDefs: readFileSync(new URL('../schema/generated/schema.graphql', import.meta.url), 'utf8'),
  fields: [ownObjects, farmers, forms, products, users],
  guardOf,
  stored: storedValues,
  sends: ({ productTransactionsFilterBy }: AppSettings) => ({ filter_by: productTransactionsFilterBy }),
  explain: { updateUser: emailTaken },
  learn: ({ loaders }, answer) => learnParts(loaders.knowledge.parts, answer),
} satisfies App;
