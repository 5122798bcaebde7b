import type { Resolvers } from '../generated/graph.ts';

/**
 * Milliseconds. A change has its time before others can see it: between the two lies what the service still does with it.
 */
const margin = 5_000;

export const sync: Resolvers = {
  Query: {
    serverTime: (_parent, _args, { service, startedAt }) =>
      new Date(service.rest.clock.at(startedAt) - margin).toISOString(),
  },
};
