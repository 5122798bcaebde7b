/** Apollo Server 5 standalone, a DataLoader per request and undici: what the documentation leads to. */
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { globalGetter, makeContext, port } from './shared/rest.mjs';
import { resolvers, typeDefs } from './shared/schema.mjs';

const get = globalGetter();
const server = new ApolloServer({ typeDefs, resolvers });
await startStandaloneServer(server, {
  listen: { port, host: '127.0.0.1' },
  context: async ({ req }) => makeContext(get, req.headers.authorization),
});
