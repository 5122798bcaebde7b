import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { setContract } from '../contract/contract.ts';
import { type App, setApp } from '../request/app.ts';
import { addDefaultResolvers } from './defaults.ts';
import { openEnums } from './open-enums.ts';
import { resolversOf } from './resolvers.ts';

/** Fields that a part adds to the schema. A field of Query or Mutation says in `extensions.plan` what it costs. */
export interface SchemaPart {
  /** SDL; absent where the SDL of the app has the fields. */
  typeDefs?: string;
  /** Resolvers by type and field. */
  resolvers: Readonly<Record<string, object>>;
}

const schemas = new WeakMap<App, Map<string, GraphQLSchema>>();

/** The schema, which takes long to make and which nothing changes. All gateways of a process share it. */
export function executableSchema(app: App, parts: readonly SchemaPart[] = []): GraphQLSchema {
  const made = schemas.get(app) ?? new Map<string, GraphQLSchema>();
  schemas.set(app, made);
  const sdl = parts.map(({ typeDefs = '' }) => typeDefs).join('\n');
  let schema = made.get(sdl);
  if (!schema) {
    schema = newSchema(app, parts);
    made.set(sdl, schema);
  }
  return schema;
}

function newSchema(app: App, parts: readonly SchemaPart[]): GraphQLSchema {
  const schema = makeExecutableSchema({
    typeDefs: [app.typeDefs, ...parts.flatMap(({ typeDefs }) => typeDefs ?? [])],
    resolvers: [...resolversOf(app), ...parts.map(({ resolvers }) => resolvers)],
    // Tests validate both, which takes a third of the time that the schema takes.
    assumeValidSDL: true,
    assumeValid: true,
  });
  setContract(schema, app.contract);
  setApp(schema, app);
  addDefaultResolvers(schema);
  openEnums(schema);
  return schema;
}
