import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { addDefaultResolvers } from '../resolvers/defaults.ts';
import { resolvers } from '../resolvers/resolvers.ts';
import { typeDefs } from './type-defs.ts';

export function createSchema(): GraphQLSchema {
  const schema = makeExecutableSchema({ typeDefs: typeDefs(), resolvers });
  addDefaultResolvers(schema);
  return schema;
}
