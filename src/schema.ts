import { makeExecutableSchema } from '@graphql-tools/schema';
import { type GraphQLFieldResolver, type GraphQLSchema, GraphQLString, getNullableType, isObjectType } from 'graphql';
import { resolvers } from './resolvers/index.ts';
import type { Json } from './rest/json.ts';
import { typeDefs } from './type-defs.ts';

export function createSchema(): GraphQLSchema {
  const schema = makeExecutableSchema({ typeDefs: typeDefs(), resolvers });
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      if (!field.resolve && getNullableType(field.type) === GraphQLString) field.resolve = text;
    }
  }
  return schema;
}

/** Where the specification says string and the service sends a list or an object, the client gets its JSON text. */
const text: GraphQLFieldResolver<Json, unknown> = (row, _args, _context, { fieldName }) => {
  const value = row[fieldName];
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
};
