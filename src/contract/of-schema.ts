import type { GraphQLSchema } from 'graphql';
import type { Contract } from './contract.ts';

/** The contract that a schema shows. */
export function contractOf({ extensions }: GraphQLSchema): Contract {
  return extensions.contract as Contract;
}

export function setContract(schema: GraphQLSchema, contract: Contract): void {
  schema.extensions = { ...schema.extensions, contract };
}
