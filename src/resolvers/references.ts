import type { GraphQLError, GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import type { Context } from '../context.ts';
import { codedError, fromRestError } from '../errors.ts';
import { bareObject } from '../loaders/loaders.ts';
import { covers, needsNothing, planOf } from '../loaders/plan.ts';
import { held, heldList, idOf, leafOf, type Reference, references, type Target } from '../loaders/references.ts';
import { RestError } from '../rest/errors.ts';
import type { Json } from '../rest/json.ts';
import { addBeside } from './root.ts';

type Resolver = GraphQLFieldResolver<Json, Context>;

/** `x`, `x_id` and `x_details` of every reference: they read what the walk has loaded, and never call. */
export const referenceResolvers: Record<string, Record<string, Resolver>> = Object.fromEntries(
  Object.entries(references).map(([type, fields]) => [type, resolversOf(fields)]),
);

function resolversOf(fields: Readonly<Record<string, Reference>>): Record<string, Resolver> {
  const resolvers: Record<string, Resolver> = {};
  for (const [field, reference] of Object.entries(fields)) {
    if (reference.list) {
      resolvers[field] = (row, _args, context, info) =>
        heldList(row, field, reference)?.map((value) => {
          try {
            return objectOf(value, reference.to, context, info);
          } catch (error) {
            return error; // graphql-js makes it the error of this item alone
          }
        });
      resolvers[leafOf(field, reference)] = (row) => heldList(row, field, reference)?.map(idOf);
      continue;
    }
    const resolve: Resolver = (row, _args, context, info) => {
      const value = held(row, field, reference);
      return value === null ? null : objectOf(value, reference.to, context, info);
    };
    resolvers[field] = resolve;
    if (reference.details) resolvers[reference.details] = resolve;
    if (!reference.leafless) {
      resolvers[leafOf(field, reference)] = (row) => {
        const value = held(row, field, reference);
        return value === null ? null : idOf(value);
      };
    }
  }
  return resolvers;
}

function objectOf(value: Json | string, target: Target, context: Context, info: GraphQLResolveInfo): Json {
  const id = idOf(value);
  const known = context.loaders.seen.get(target, id);
  if (known?.complete) return known.data;
  const bare = typeof value === 'string' ? bareObject(target, id) : value;
  const failure = context.loaders.failure(target, id);
  if (!failure) return known?.data ?? bare;

  // Another place of the operation may have needed more of this object than this one does.
  const plan = planOf(info, info.returnType, info.fieldNodes);
  if (needsNothing(plan)) return known?.data ?? bare;
  const typePlan = known && plan.byType.get(target === 'Entity' ? String(known.data.__typename) : target);
  if (typePlan && covers(known, typePlan) && !(plan.kindMatters && known.data.__typename === 'UnknownEntity')) {
    return known.data;
  }
  const error = referenceError(failure, target, id);
  if (target === 'Entity' && error.extensions.code === 'REFERENCE_NOT_FOUND') {
    addBeside(context, info, error);
    return bareObject('Entity', id);
  }
  throw error;
}

function referenceError(failure: Error, type: Target, id: string): GraphQLError {
  const reference = { type, id };
  if (failure instanceof RestError) {
    if (failure.code !== 'NOT_FOUND') return fromRestError(failure, { reference });
    return codedError(
      'REFERENCE_NOT_FOUND',
      `The service knows no ${type} of this id, or does not show it to this key.`,
      {
        reference,
      },
    );
  }
  return failure as GraphQLError;
}
