import { createServer } from 'node:http';
import { composeServices } from '@apollo/composition';
import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginInlineTraceDisabled } from '@apollo/server/plugin/disabled';
import { startStandaloneServer } from '@apollo/server/standalone';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';
import { unifiedGraphHandler } from '@graphql-hive/router-runtime';
import { parse } from 'graphql';

/** Headers of clients that both routers pass on to subgraphs. packages/federation/README.md names the same. */
const passedOn = ['authorization', 'idempotency-key', 'accept-language', 'traceparent', 'x-trace-upstream'];

/** Composes subgraphs of `{ name, url, sdl }` as Apollo's tools do. */
export function compose(subgraphs) {
  const services = subgraphs.map(({ name, url, sdl }) => ({ name, url, typeDefs: parse(sdl) }));
  const { supergraphSdl, errors = [] } = composeServices(services);
  if (errors.length > 0) throw new AggregateError(errors, errors.map(({ message }) => message).join('\n'));
  return supergraphSdl;
}

/** A subgraph of other people: `resolvers` may have `__resolveReference`. */
export async function startSubgraph(name, sdl, resolvers) {
  const schema = buildSubgraphSchema({ typeDefs: parse(sdl), resolvers });
  const server = new ApolloServer({ schema, plugins: [ApolloServerPluginInlineTraceDisabled()] });
  const { url } = await startStandaloneServer(server, { listen: { port: 0, host: '127.0.0.1' } });
  return { name, url, sdl, close: () => server.stop() };
}

class PassingDataSource extends RemoteGraphQLDataSource {
  willSendRequest({ request, context }) {
    for (const name of passedOn) {
      const value = context.headers?.[name];
      if (value !== undefined) request.http.headers.set(name, value);
    }
    // The default is */*, for which a refusal has the status 400. This router shows no errors of such an answer.
    request.http.headers.set('accept', 'application/json');
  }
}

export async function startApolloGateway(supergraphSdl) {
  const gateway = new ApolloGateway({
    supergraphSdl,
    buildService: ({ url }) => new PassingDataSource({ url }),
  });
  const server = new ApolloServer({ gateway });
  const { url } = await startStandaloneServer(server, {
    listen: { port: 0, host: '127.0.0.1' },
    context: async ({ req }) => ({ headers: req.headers }),
  });
  return { url, close: () => server.stop() };
}

/** `planner`: its own by default, or that of Hive Router. */
export async function startHiveGateway(supergraph, { planner = 'own' } = {}) {
  const runtime = createGatewayRuntime({
    supergraph,
    ...(planner === 'router' && { unifiedGraphHandler }),
    propagateHeaders: {
      fromClientToSubgraphs: ({ request }) =>
        Object.fromEntries(
          passedOn.map((name) => [name, request.headers.get(name)]).filter(([, value]) => value !== null),
        ),
    },
    logging: false,
    maskedErrors: false,
  });
  const server = createServer(runtime);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/graphql`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await runtime.dispose();
    },
  };
}
