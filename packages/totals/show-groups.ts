import type { Json } from '@gateway/base';
import type { RequestContext } from '@gateway/rest-graph';
import type { GraphQLFieldResolver } from 'graphql';
import { type Group, sumOf } from './group-rows.ts';

/** Shows a list of groups. */
export function listed(field: string): GraphQLFieldResolver<Json, RequestContext> {
  return (object, _args, context) => {
    const groups = object[field] as readonly Group[];
    context.answer.requireRoomFor(groups.length);
    return groups;
  };
}

/** Shows sums of properties, each made when it is asked for. */
export function sumsOf(properties: readonly string[]): Record<string, GraphQLFieldResolver<Group, RequestContext>> {
  return Object.fromEntries(properties.map((property) => [property, ({ rows }: Group) => sumOf(rows, property)]));
}
