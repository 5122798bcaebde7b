import { codedError, type Field, fieldOf, type Json } from '@gateway/base';
import { fromUpstreamError, isRow } from '@gateway/upstream';
import { type FieldNode, type GraphQLFieldResolver, type GraphQLResolveInfo, getArgumentValues } from 'graphql';
import type { RequestContext } from '../request/context.ts';

/**
 * The value of a derived field, which its plan has loaded.
 * @throws GraphQLError where the service did not give it, or gave the object without an id.
 */
export function derivedValue<Value>(object: Json, context: RequestContext, info: GraphQLResolveInfo): Value {
  const field = fieldOf(info);
  const { name: kind } = field.parentType;
  if (!isRow(object)) throw codedError('UPSTREAM_INVALID_RESPONSE', `The service gave a ${kind} without an id.`);
  const value = context.loaders.derived.get(field)?.get(object.id);
  if (value instanceof Error) throw fromUpstreamError(value);
  if (value === undefined) throw new Error(`${kind}.${field.name} of ${object.id} was not loaded.`);
  return value as Value;
}

/** The arguments of a field below the root. Trees of fields are made for the values of their variables. */
export function argumentsOf({ definition, nodes, tree }: Field): Record<string, unknown> {
  return getArgumentValues(definition, nodes[0] as FieldNode, tree.conditions);
}

/** @throws BAD_USER_INPUT that names an argument of a field below the root, or the item at a position of a list. */
export function refuseArgument(
  { parentType, name, nodes }: Field,
  argument: string,
  bound: string,
  ...position: number[]
): never {
  const message = `\`${[argument, ...position].join('.')}\` of ${parentType.name}.${name} ${bound}.`;
  const fields = [{ path: [name, argument, ...position], message }];
  throw codedError('BAD_USER_INPUT', message, { fields, nodes, http: { status: 400 } });
}

/** Shows the value as it was loaded. */
export const showDerived: GraphQLFieldResolver<Json, RequestContext> = (object, _args, context, info) =>
  derivedValue(object, context, info);
