import { errorsPerTurn, type Field, fieldOf, inTurn, type Json, objectsPerError } from '@gateway/base';
import { contractOf } from '@gateway/contract';
import {
  newTypePlan,
  objectOf,
  planAmong,
  plannedRoot,
  ReferenceLoader,
  type RequestContext,
  type RootCall,
  referencePlan,
  requireKey,
} from '@gateway/rest-graph';
import { GraphQLError, type GraphQLResolveInfo } from 'graphql';
import { type Fault, faultError, type Representation, readRepresentations } from './representations.ts';

interface EntitiesArgs {
  representations: readonly unknown[];
}

/** The objects of a router's representations. */
export const entities = { resolve: readEntities, extensions: { plan } };

/** One call for each kind of object. An object that the answer shows by its id alone needs none. */
function plan(field: Field, { representations }: EntitiesArgs) {
  const { places, idsByTarget } = readRepresentations(contractOf(field.tree.schema), representations);
  const calls: RootCall[] = [];
  let objects = 0;
  let bad = places.length;
  for (const [target, ids] of idsByTarget) {
    const plan = planAmong(field, target);
    bad -= ids.length;
    objects += ids.length * (plan.needsNothing ? 1 : 1 + plan.objects);
    if (!plan.needsNothing) calls.push({ plan, how: 'by id', target, ids });
  }
  return { objects: objects + bad * objectsPerError, calls, places, idsByTarget };
}

/** The objects load as the references of one object do. */
async function readEntities(
  _parent: unknown,
  args: EntitiesArgs,
  context: RequestContext,
  info: GraphQLResolveInfo,
): Promise<(Json | Error | null)[]> {
  requireKey(context);
  context.answer.requireRoomFor(args.representations.length);
  const { places, idsByTarget } = plannedRoot(plan, args, context, info);
  const field = fieldOf(info);
  const references = [...idsByTarget.keys()].map((to) => {
    const plan = planAmong(field, to);
    for (const each of plan.byType.values()) context.loaders.expect(each);
    return referencePlan(field.key, to, { to, list: true }, plan);
  });
  const all = newTypePlan({ keys: [], references, embedded: [], derived: [] });
  await new ReferenceLoader(context.loaders).resolveAll([{ object: Object.fromEntries(idsByTarget), plan: all }]);
  context.scope.requireClient();
  const isAccepted = context.service.upstream.callers.isAccepted(context.caller);
  const objects: (Json | Error | null)[] = [];
  for (const [index, place] of places.entries()) {
    const object = objectAt(place, index, context, info);
    // Strangers get one error for all, whatever they send.
    if (!isAccepted && isRefusal(object)) throw object;
    objects.push(object);
    if (index % errorsPerTurn === errorsPerTurn - 1) await new Promise<void>(inTurn);
  }
  return objects;
}

function objectAt(
  place: Representation | Fault,
  index: number,
  context: RequestContext,
  info: GraphQLResolveInfo,
): Json | Error | null {
  if ('message' in place) return faultError(place, index);
  const { target, id } = place;
  const object = objectOf(id, target, context, info, index, planAmong(fieldOf(info), target));
  if (object === null || object instanceof Error) return object;
  // The rows of most kinds do not name their type. An object of a union does.
  if (context.loaders.contract.union(target)) return object;
  return { ...object, __typename: target };
}

function isRefusal(object: Json | Error | null): boolean {
  const code = object instanceof GraphQLError && object.extensions.code;
  return code === 'BAD_USER_INPUT' || code === 'UNAUTHENTICATED';
}
