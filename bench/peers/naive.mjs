/** Apollo Server 5 standalone, a fetch in every resolver, no DataLoader: what a first attempt does. */
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { port, upstream } from './shared/rest.mjs';
import { resolvers, typeDefs } from './shared/schema.mjs';

const server = new ApolloServer({ typeDefs, resolvers });
await startStandaloneServer(server, {
  listen: { port, host: '127.0.0.1' },
  context: async ({ req }) => contextOf(req.headers.authorization),
});

function contextOf(authorization) {
  const get = (path) => getJson(path, authorization);
  const byId = (prefix) => ({ load: (id) => get(`${prefix}${id}/`) });
  return {
    get,
    list: (path, args) => get(`${path}?${new URLSearchParams(args)}`),
    loaders: {
      farmer: byId('/supply-chains/farmers/'),
      company: byId('/supply-chains/companies/'),
      user: byId('/accounts/users/'),
      product: {
        load: async (id) => (await get('/catalogs/products/?limit=100')).results.find((product) => product.id === id),
      },
    },
  };
}

async function getJson(path, authorization) {
  const response = await fetch(upstream + path, { headers: { authorization, accept: 'application/json' } });
  if (response.ok) return response.json();
  await response.text();
  if (response.status === 404) return null;
  throw new Error(`upstream ${response.status}`);
}
