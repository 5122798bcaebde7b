import type { SchemaPart } from '@gateway/rest-graph';
import { candidates } from './candidates.ts';
import { dataOf, holder } from './holders.ts';

/** Fields of Query that find objects by what people have of them. */
export const identify: SchemaPart = {
  resolvers(contract) {
    const data = dataOf(contract);
    const fields = [
      ...Object.keys(data.holders).map((name) => [name, holder] as const),
      ...Object.keys(data.candidates).map((name) => [name, candidates] as const),
    ];
    return { Query: Object.fromEntries(fields) };
  },
};
