import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { addDefaultResolvers } from '../resolvers/defaults.ts';
import { openEnums } from '../resolvers/open-enums.ts';
import { resolvers } from '../resolvers/resolvers.ts';
import { subgraphFields } from './federation/subgraph.ts';
import { typeDefs } from './type-defs.ts';

const schemas: { plain?: GraphQLSchema; subgraph?: GraphQLSchema } = {};

/** The schema, which takes long to make and which nothing changes. All gateways of a process share it. */
export function executableSchema({ federation = false } = {}): GraphQLSchema {
  if (federation) schemas.subgraph ??= newSchema([subgraphFields()]);
  else schemas.plain ??= newSchema([]);
  return (federation ? schemas.subgraph : schemas.plain) as GraphQLSchema;
}

function newSchema(parts: readonly ReturnType<typeof subgraphFields>[]): GraphQLSchema {
  const schema = makeExecutableSchema({
    typeDefs: [typeDefs(), ...parts.map((part) => part.typeDefs)],
    resolvers: [...resolvers, ...parts.map((part) => part.resolvers)],
    // Tests validate both, which takes a third of the time that the schema takes.
    assumeValidSDL: true,
    assumeValid: true,
  });
  addDefaultResolvers(schema);
  openEnums(schema);
  return schema;
}
