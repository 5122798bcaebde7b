import type { Field } from '@gateway/base';
import { plannedRoot, planWrites, type RequestContext, requireKey, type SchemaPart } from '@gateway/rest-graph';
import type { GraphQLResolveInfo } from 'graphql';
import { chainsOf } from './chains.ts';
import { WriteMaker } from './make-writes.ts';
import { planPush, requireFewWrites } from './plan.ts';
import { showResults } from './show-results.ts';
import type { PushArgs } from './types.ts';

/** Many writes in one field of Mutation, each of which takes the way of its own field. */
export const push: SchemaPart = {
  resolvers: { Mutation: { push: { resolve: makeWrites, extensions: { plan } } } },
};

function plan(field: Field, { writes }: PushArgs) {
  const planned = planPush(writes, field.tree.schema);
  const chains = chainsOf(planned);
  return { ...planWrites(field, { chains, requireFew: requireFewWrites }), planned, chains };
}

async function makeWrites(_parent: unknown, args: PushArgs, context: RequestContext, info: GraphQLResolveInfo) {
  requireKey(context);
  const { planned, chains } = plannedRoot(plan, args, context, info);
  // The executor makes writes when the input of all fields is right.
  return async () => {
    const maker = new WriteMaker(context, info);
    await maker.make(chains);
    return showResults(maker.outcomes, planned, context, info);
  };
}
