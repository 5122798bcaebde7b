type Key = { __typename: string; id: string };

/** The object of a key, as this subgraph has it. */
const found = ({ id }: Key) => ({ id });

/** A subgraph of other people. It adds fields to objects of the gateway, and refers to them. */
export const ratings = {
  sdl: `
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])
    type Query { rated(ids: [ID!]!): [Farmer!]! sold(ids: [ID!]!): [Product!]! }
    type Farmer @key(fields: "id") { id: ID! rating: Float }
    type Product @key(fields: "id") { id: ID! popularity: Int }
    type ProductTransaction @key(fields: "id") { id: ID! quality: String }
    type Premium @key(fields: "id") { id: ID! votes: Int }
    type PageInfo @shareable { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
  `,
  resolvers: {
    Query: {
      rated: (_parent: unknown, { ids }: { ids: string[] }) => ids.map((id) => ({ id })),
      sold: (_parent: unknown, { ids }: { ids: string[] }) => ids.map((id) => ({ id })),
    },
    Farmer: { __resolveReference: found, rating: () => 4.5 },
    Product: { __resolveReference: found, popularity: () => 3 },
    ProductTransaction: { __resolveReference: found, quality: () => 'good' },
    Premium: { __resolveReference: found, votes: () => 7 },
  },
};

/** A subgraph that knows ids of farmers and companies, and not which of the two they are. */
export const deliveries = {
  sdl: `
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@interfaceObject"])
    type Query { receivers(ids: [ID!]!): [Entity!]! }
    type Entity @key(fields: "id") @interfaceObject { id: ID! deliveries: Int }
  `,
  resolvers: {
    Query: {
      receivers: (_parent: unknown, { ids }: { ids: string[] }) => ids.map((id) => ({ __typename: 'Entity', id })),
    },
    Entity: { __resolveReference: found, deliveries: () => 2 },
  },
};
