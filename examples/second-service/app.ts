import { readFileSync } from 'node:fs';
import { Contract } from '@gateway/contract';
import type { App } from '@gateway/rest-graph';
import * as data from './generated/contract.ts';

interface Loan {
  due_on?: string;
  returned_at?: string | null;
}

/** A field that is made of others, which the contract cannot say. */
const loans = {
  Loan: {
    is_late({ due_on, returned_at }: Loan): boolean | null {
      if (due_on === undefined || returned_at === undefined) return null;
      return (returned_at ?? new Date().toISOString()).slice(0, 10) > due_on;
    },
  },
};

/** The library behind the gateway. */
export const library: App = {
  contract: new Contract(data),
  typeDefs: readFileSync(new URL('./generated/schema.graphql', import.meta.url), 'utf8'),
  fields: [loans],
};
