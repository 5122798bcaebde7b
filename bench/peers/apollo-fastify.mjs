/** Apollo Server 5 on Fastify, the loaders of textbook and one pool of connections. */
import { ApolloServer } from '@apollo/server';
import fastifyApollo, { fastifyApolloDrainPlugin } from '@as-integrations/fastify';
import Fastify from 'fastify';
import { makeContext, poolGetter, port } from './shared/rest.mjs';
import { resolvers, typeDefs } from './shared/schema.mjs';

const get = poolGetter();
const fastify = Fastify();
const apollo = new ApolloServer({ typeDefs, resolvers, plugins: [fastifyApolloDrainPlugin(fastify)] });
await apollo.start();
await fastify.register(fastifyApollo(apollo), {
  context: async ({ headers }) => makeContext(get, headers.authorization),
});
await fastify.listen({ port, host: '127.0.0.1' });
