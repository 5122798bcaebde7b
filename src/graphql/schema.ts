import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import type { Contract } from '../contract/contract.ts';
import { setContract } from '../contract/of-schema.ts';
import { addDefaultResolvers } from '../resolvers/defaults.ts';
import { openEnums } from '../resolvers/open-enums.ts';
import { resolversOf } from '../resolvers/resolvers.ts';
import { subgraphFields } from './federation/subgraph.ts';
import { typeDefs } from './type-defs.ts';

const schemas = new WeakMap<Contract, { plain?: GraphQLSchema; subgraph?: GraphQLSchema }>();

/** The schema, which takes long to make and which nothing changes. All gateways of a process share it. */
export function executableSchema(contract: Contract, { federation = false } = {}): GraphQLSchema {
  const made = schemas.get(contract) ?? {};
  schemas.set(contract, made);
  if (federation) made.subgraph ??= newSchema(contract, [subgraphFields(contract)]);
  else made.plain ??= newSchema(contract, []);
  return (federation ? made.subgraph : made.plain) as GraphQLSchema;
}

function newSchema(contract: Contract, parts: readonly ReturnType<typeof subgraphFields>[]): GraphQLSchema {
  const schema = makeExecutableSchema({
    typeDefs: [typeDefs(), ...parts.map((part) => part.typeDefs)],
    resolvers: [...resolversOf(contract), ...parts.map((part) => part.resolvers)],
    // Tests validate both, which takes a third of the time that the schema takes.
    assumeValidSDL: true,
    assumeValid: true,
  });
  setContract(schema, contract);
  addDefaultResolvers(schema);
  openEnums(schema);
  return schema;
}
