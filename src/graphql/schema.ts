import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { addDefaultResolvers } from '../resolvers/defaults.ts';
import { openEnums } from '../resolvers/open-enums.ts';
import { resolvers } from '../resolvers/resolvers.ts';
import { typeDefs } from './type-defs.ts';

let schema: GraphQLSchema | undefined;

/** The schema, which takes long to make and which nothing changes. All gateways of a process share it. */
export function executableSchema(): GraphQLSchema {
  if (schema) return schema;
  schema = makeExecutableSchema({ typeDefs: typeDefs(), resolvers });
  addDefaultResolvers(schema);
  openEnums(schema);
  return schema;
}
