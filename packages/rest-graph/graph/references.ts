import { codedError, fieldOf, type Json, UpstreamError } from '@gateway/base';
import type { Contract, Reference, Shown, Target } from '@gateway/contract';
import { fromUpstreamError, LackingEndpointError } from '@gateway/upstream';
import { GraphQLError, type GraphQLFieldResolver, type GraphQLResolveInfo } from 'graphql';
import { unresolved } from '../load/by-id.ts';
import { bareObject } from '../load/loaders.ts';
import { idOf, referenceValue, referenceValues, targetIn } from '../load/references.ts';
import { planAmong, planOf } from '../plan/selection-plan.ts';
import type { RequestContext } from '../request/context.ts';

type Resolver = GraphQLFieldResolver<Json, RequestContext>;

/** Resolvers of `x`, `x_id` and `x_details` of every reference. They read loaded objects, and never call. */
export function referenceResolvers(contract: Contract): Record<string, Record<string, Resolver>> {
  const types = Object.keys(contract.data.references).map((type) => {
    const fields = [...contract.tables(type).shown].map(([name, shown]) => [name, resolverOf(shown)]);
    return [type, Object.fromEntries(fields)];
  });
  return Object.fromEntries(types);
}

function resolverOf({ property, reference, isId }: Shown): Resolver {
  if (reference.list) {
    if (isId) return (row) => referenceValues(row, property, reference)?.map(idOf);
    return (row, _args, context, info) => {
      const values = referenceValues(row, property, reference);
      context.answer.requireRoomFor(values?.length ?? 0);
      return values?.map((value, index) => objectIn(row, value, reference, context, info, index));
    };
  }
  if (isId) {
    return (row) => {
      const value = referenceValue(row, property, reference);
      return value === null ? null : idOf(value);
    };
  }
  return (row, _args, context, info) => {
    const value = referenceValue(row, property, reference);
    return value === null ? null : objectIn(row, value, reference, context, info);
  };
}

/** The object that a row refers to. Objects of the kind that the row names have a plan of their own. */
export function objectIn(
  row: Json,
  value: Json | string,
  reference: Reference,
  context: RequestContext,
  info: GraphQLResolveInfo,
  index?: number,
): Json | Error | null {
  const target = targetIn(row, reference);
  const plan = target === reference.to ? undefined : planAmong(fieldOf(info), target);
  return objectOf(value, target, context, info, index, plan);
}

/**
 * The object of a reference, or an Error, which the executor reports for this place alone. `index`: the position in a list
 * of references. `plan`: that of the field, unless the gateway has loaded the object by another.
 */
export function objectOf(
  value: Json | string,
  target: Target,
  context: RequestContext,
  info: GraphQLResolveInfo,
  index?: number,
  plan = planOf(fieldOf(info)),
): Json | Error | null {
  const id = idOf(value);
  if (plan.needsNothing) return bareObject(context.loaders.contract, target, id);
  const loaded = context.loaders.references.get(plan)?.get(id);
  if (!(loaded instanceof Error)) return loaded ?? new Error(`The ${target} ${id} was not loaded.`);
  const error = referenceError(loaded, target, id);
  const { contract } = context.loaders;
  if (contract.union(target) && error instanceof GraphQLError && error.extensions.code === 'REFERENCE_NOT_FOUND') {
    // An object of unknown kind says by its kind that the caller may not see it.
    if (!plan.kindSuffices) context.errors.add(info, error, index);
    return bareObject(contract, target, id);
  }
  return error;
}

/** The error of the object that a load has not given. */
export function referenceError(failure: Error, type: Target, id: string): Error {
  const reference = { type, id };
  if (failure instanceof LackingEndpointError) return unresolved(type, id);
  if (!(failure instanceof UpstreamError && failure.code === 'NOT_FOUND'))
    return fromUpstreamError(failure, { reference });
  const message = `The service knows no ${type} of this id, or does not show it to this key.`;
  return codedError('REFERENCE_NOT_FOUND', message, { reference });
}
