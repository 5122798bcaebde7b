import { setImmediate } from 'node:timers/promises';
import type { Resolvers } from '../generated/graph.ts';

/**
 * Milliseconds. A change has its time before others can see it: between the two lies what the service still does with it.
 */
const margin = 5_000;

export const sync: Resolvers = {
  Query: {
    async serverTime(_parent, _args, context) {
      const { clock } = context.service.upstream;
      if (!clock.isKnown) {
        // When the fields beside it have asked, the first answer tells.
        await setImmediate();
        await context.calls.firstEnd();
      }
      return new Date(clock.at(context.startedAt) - margin).toISOString();
    },
  },
};
