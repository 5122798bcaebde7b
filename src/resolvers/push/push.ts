import type { GraphQLResolveInfo } from 'graphql';
import type { MutationPushArgs } from '../../generated/graph.ts';
import type { RequestContext } from '../../graphql/context.ts';
import { requireKey } from '../require-key.ts';
import { chainsOf } from './chains.ts';
import { WriteMaker } from './make-writes.ts';
import { planPush } from './plan.ts';
import { showResults } from './show-results.ts';

/** Many writes in one field of Mutation, each of which takes the way of its own field. */
export const push = {
  Mutation: {
    async push(_parent: unknown, { writes }: MutationPushArgs, context: RequestContext, info: GraphQLResolveInfo) {
      requireKey(context);
      const planned = planPush(writes, info.schema);
      // The executor makes writes when the input of all fields is right.
      return async () => {
        const maker = new WriteMaker(context, info);
        await maker.make(chainsOf(planned));
        return showResults(maker.outcomes, planned, context, info);
      };
    },
  },
};
