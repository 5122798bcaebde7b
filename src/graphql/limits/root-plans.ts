import { type FieldNode, getArgumentValues } from 'graphql';
import { contractOf } from '../../contract/of-schema.ts';
import type { RootPlan } from '../../loaders/root-plan.ts';
import type { Field } from '../executor/field-tree.ts';
import type { ExecutionArgs } from '../executor/operation.ts';

/**
 * The plans of the root fields, each response key once. A field whose arguments are refused has none, and neither has one
 * whose id the service cannot have. `refuse` gets the reason. A mutation with such a field sends nothing at all.
 * @throws GraphQLError for a condition of @skip or @include that is null.
 */
export function rootPlansOf(
  { tree, variableValues }: ExecutionArgs,
  maxPageSize: number,
  refuse?: (field: Field, reason: unknown) => void,
): ReadonlyMap<Field, RootPlan> {
  const plans = new Map<Field, RootPlan>();
  let isRefused = false;
  for (const field of tree.fields) {
    const { plan } = field.definition.extensions;
    if (!plan) continue;
    try {
      const args = getArgumentValues(field.definition, field.nodes[0] as FieldNode, variableValues);
      if (typeof args.id === 'string' && !contractOf(tree.schema).isPossibleId(args.id))
        throw new Error('The service cannot have this id.');
      plans.set(field, plan(field, args as never, maxPageSize));
    } catch (reason) {
      // The resolver gives the reason, without a call.
      isRefused = true;
      refuse?.(field, reason);
    }
  }
  return isRefused && tree.definition.operation === 'mutation' ? new Map() : plans;
}

/** The gateway answers introspection, its SDL and its own leaves without the service. */
export function callsService({ definition }: Field): boolean {
  return definition.extensions.plan !== undefined;
}
