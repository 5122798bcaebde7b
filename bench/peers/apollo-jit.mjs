/** As apollo-fastify, but graphql-jit executes, behind the interface that Apollo Server has for its own Gateway. */
import { ApolloServer } from '@apollo/server';
import fastifyApollo, { fastifyApolloDrainPlugin } from '@as-integrations/fastify';
import { makeExecutableSchema } from '@graphql-tools/schema';
import Fastify from 'fastify';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { makeContext, poolGetter, port } from './shared/rest.mjs';
import { resolvers, typeDefs } from './shared/schema.mjs';

const get = poolGetter();
const schema = makeExecutableSchema({ typeDefs, resolvers });
const compiled = new Map();

async function executor({ document, queryHash, operationName, request, context }) {
  const key = `${queryHash}|${operationName ?? ''}`;
  let query = compiled.get(key);
  if (!query) {
    query = compileQuery(schema, document, operationName ?? undefined);
    if (compiled.size >= 1000) compiled.clear();
    compiled.set(key, query);
  }
  return isCompiledQuery(query) ? query.query(undefined, context, request.variables ?? {}) : query;
}

const gateway = {
  onSchemaLoadOrUpdate(tell) {
    queueMicrotask(() => tell({ apiSchema: schema, coreSupergraphSdl: typeDefs }));
    return () => {};
  },
  async load() {
    return { executor };
  },
  async stop() {},
};

const fastify = Fastify();
const apollo = new ApolloServer({ gateway, plugins: [fastifyApolloDrainPlugin(fastify)] });
await apollo.start();
await fastify.register(fastifyApollo(apollo), {
  context: async ({ headers }) => makeContext(get, headers.authorization),
});
await fastify.listen({ port, host: '127.0.0.1' });
