import { defineConfig } from '@graphql-hive/gateway';
import { parse } from 'graphql';

/** TUNED=1: execution with jit, and one upstream call for each id of a field, which @resolveTo does not see to for REST. */
const isTuned = Boolean(process.env.TUNED);
const callsOfRequest = new WeakMap();
const productFields = parse('{ results { id name } }').definitions[0].selectionSet;

/** Products have no GET by id: the keys of one request share one list. */
const product_ref = {
  selectionSet: '{ product }',
  resolve: (root, _args, context, info) =>
    context.rest.Query.products({
      root,
      context,
      info,
      key: root.product,
      argsFromKeys: () => ({ limit: 100 }),
      selectionSet: () => productFields,
      valuesFromResults({ results }, keys) {
        const products = new Map(results.map((product) => [product.id, product]));
        return keys.map((key) => products.get(key) ?? null);
      },
    }),
};

export const gatewayConfig = defineConfig({
  supergraph: process.env.SUPERGRAPH,
  host: '127.0.0.1',
  port: Number(process.env.PORT),
  fork: 1,
  logging: 'error',
  graphiql: false,
  landingPage: false,
  jit: isTuned,
  propagateHeaders: {
    fromClientToSubgraphs: ({ request }) => ({ authorization: request.headers.get('authorization') ?? '' }),
  },
  additionalResolvers: {
    ...(isTuned && { Farmer: { buyer_ref: once('company', 'buyer'), creator_ref: once('user', 'creator') } }),
    ProductTransaction: {
      ...(isTuned && {
        source_ref: once('farmer', 'source'),
        destination_ref: once('company', 'destination'),
        creator_ref: once('user', 'creator'),
      }),
      product_ref,
    },
  },
});

function once(rootField, field) {
  return {
    selectionSet: `{ ${field} }`,
    resolve(root, _args, context, info) {
      const id = root[field];
      if (id == null) return null;
      if (!callsOfRequest.has(context)) callsOfRequest.set(context, new Map());
      const calls = callsOfRequest.get(context);
      const key = `${info.parentType.name}.${info.fieldName}:${id}`;
      if (!calls.has(key)) calls.set(key, context.rest.Query[rootField]({ root, args: { id }, context, info }));
      return calls.get(key);
    },
  };
}
