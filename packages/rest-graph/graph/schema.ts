import { subgraphFields } from '@gateway/federation';
import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { setContract } from '../contract/contract.ts';
import type { App } from '../request/app.ts';
import { addDefaultResolvers } from './defaults.ts';
import { openEnums } from './open-enums.ts';
import { resolversOf } from './resolvers.ts';

const schemas = new WeakMap<App, { plain?: GraphQLSchema; subgraph?: GraphQLSchema }>();

/** The schema, which takes long to make and which nothing changes. All gateways of a process share it. */
export function executableSchema(app: App, { federation = false } = {}): GraphQLSchema {
  const made = schemas.get(app) ?? {};
  schemas.set(app, made);
  if (federation) made.subgraph ??= newSchema(app, [subgraphFields(app)]);
  else made.plain ??= newSchema(app, []);
  return (federation ? made.subgraph : made.plain) as GraphQLSchema;
}

function newSchema(app: App, parts: readonly ReturnType<typeof subgraphFields>[]): GraphQLSchema {
  const schema = makeExecutableSchema({
    typeDefs: [app.typeDefs, ...parts.map((part) => part.typeDefs)],
    resolvers: [...resolversOf(app), ...parts.map((part) => part.resolvers)],
    // Tests validate both, which takes a third of the time that the schema takes.
    assumeValidSDL: true,
    assumeValid: true,
  });
  setContract(schema, app.contract);
  addDefaultResolvers(schema);
  openEnums(schema);
  return schema;
}
