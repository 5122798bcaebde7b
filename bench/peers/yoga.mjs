/** GraphQL Yoga 5 with its own compression and the same loaders; JIT=1 adds @envelop/graphql-jit. */
import { createServer } from 'node:http';
import { useGraphQlJit } from '@envelop/graphql-jit';
import { useContentEncoding } from '@whatwg-node/server';
import { createSchema, createYoga } from 'graphql-yoga';
import { makeContext, poolGetter, port } from './shared/rest.mjs';
import { resolvers, typeDefs } from './shared/schema.mjs';

const get = poolGetter();
const yoga = createYoga({
  schema: createSchema({ typeDefs, resolvers }),
  plugins: [...(process.env.JIT ? [useGraphQlJit()] : []), useContentEncoding()],
  logging: false,
  graphiql: false,
  context: ({ request }) => makeContext(get, request.headers.get('authorization')),
});
createServer(yoga).listen(port, '127.0.0.1');
