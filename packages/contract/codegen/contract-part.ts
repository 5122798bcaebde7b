import type { z } from 'zod';
import type { Reference } from '../reference.ts';
import type { Contract } from './contract.ts';

/** A part in the generator: the keys that it adds to the OpenAPI document, and their SDL and data. */
export interface ContractPart {
  /** Names its data in the contract of the gateway. */
  name: string;
  /** Keys of operations, each with the schema of its value. `Endpoint.keys` has the values. */
  keys?: Readonly<Record<`x-${string}`, z.ZodType>>;
  /** Keys of the security scheme. `Contract.schemeKeys` has the values. */
  schemeKeys?: ContractPart['keys'];
  /** Mistakes of the values, each with its YAML path. */
  mistakesIn?(contract: Contract): string[];
  /** New types, and `extend type` with new fields of others. */
  typeDefs?(contract: Contract): string;
  /** References of its own types, by type and field. Rows of theirs hold ids, or objects that are known. */
  references?(contract: Contract): Readonly<Record<string, Readonly<Record<string, Reference>>>>;
  /** JSON that the gateway needs of the contract. */
  dataOf?(contract: Contract): unknown;
}
