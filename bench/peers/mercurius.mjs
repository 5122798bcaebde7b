/**
 * Mercurius 16 on Fastify with jit and its own loaders. Their cache is off, as its documentation advises where the
 * parent would be serialised for each key; a map of what the request has read deduplicates instead.
 */
import Fastify from 'fastify';
import mercurius from 'mercurius';
import { makeContext, poolGetter, port } from './shared/rest.mjs';
import { resolveEntityType, resolvers, typeDefs } from './shared/schema.mjs';

const get = poolGetter();
const prefixes = {
  farmer: '/supply-chains/farmers/',
  company: '/supply-chains/companies/',
  user: '/accounts/users/',
};

const uncached = (load) => ({ loader: load, opts: { cache: false } });
const ref = (kind, field) =>
  uncached((queries, context) => Promise.all(queries.map(({ obj }) => read(context, kind, obj[field]))));
const entity = (field, first, second) =>
  uncached((queries, context) =>
    Promise.all(
      queries.map(async ({ obj }) => (await read(context, first, obj[field])) ?? read(context, second, obj[field])),
    ),
  );
const product = uncached(async (queries, context) => {
  const { results } = await once(context, '/catalogs/products/?limit=100');
  const products = new Map(results.map((each) => [each.id, each]));
  return queries.map(({ obj }) => products.get(obj.product) ?? null);
});
const people = { creator: ref('user', 'creator'), updater: ref('user', 'updater') };

const app = Fastify();
app.register(mercurius, {
  schema: typeDefs,
  resolvers: { Query: resolvers.Query, Entity: { resolveType: resolveEntityType } },
  loaders: {
    Farmer: { buyer: ref('company', 'buyer'), ...people },
    Company: people,
    Card: people,
    Product: people,
    EntityCard: { entity: entity('entity', 'farmer', 'company'), ...people },
    ProductTransaction: {
      product,
      source: entity('source', 'farmer', 'company'),
      destination: entity('destination', 'company', 'farmer'),
      ...people,
    },
    PaymentTransaction: {
      source: entity('source', 'company', 'farmer'),
      destination: entity('destination', 'farmer', 'company'),
      ...people,
    },
  },
  jit: 1,
  context: ({ headers }) => ({ ...makeContext(get, headers.authorization), seen: new Map() }),
});
await app.listen({ port, host: '127.0.0.1' });

function read(context, kind, id) {
  return id ? once(context, `${prefixes[kind]}${id}/`) : null;
}

function once({ seen, get: getAs }, path) {
  let answer = seen.get(path);
  if (!answer) {
    answer = getAs(path);
    seen.set(path, answer);
  }
  return answer;
}
