import { type FieldNode, type GraphQLObjectType, getArgumentValues, getNamedType, isLeafType } from 'graphql';
import type { MutationPushArgs } from '../../generated/graph.ts';
import type { Kind, Target } from '../../loaders/kinds.ts';
import { type PageArguments, type RowRange, rowRangeOf } from '../../loaders/lists/connection.ts';
import { listDigest } from '../../loaders/lists/cursor.ts';
import { filtersOf, rowFields } from '../../loaders/lists/filters.ts';
import type { Filters } from '../../loaders/lists/rows-request.ts';
import { planAmong } from '../../loaders/plan.ts';
import { checkBounds } from '../../resolvers/bounds.ts';
import { chainsOf } from '../../resolvers/push/chains.ts';
import { planPush } from '../../resolvers/push/plan.ts';
import { readRepresentations } from '../../resolvers/representations.ts';
import { endpoints, type ListEndpointName } from '../../upstream/endpoints.ts';
import { isPossibleId } from '../../upstream/request-path.ts';
import { objectsPerError } from '../executor/answer-limit.ts';
import type { Field } from '../executor/field-tree.ts';
import type { ExecutionArgs } from '../executor/operation.ts';

/** A read or a write that a field of Query or Mutation asks for. */
export type RootCall = { field: Field } & (ListCall | GetCall | WriteCall | PushCall | NoCall);

interface ListCall {
  how: 'list';
  endpoint: ListEndpointName;
  filters: Filters;
  range: RowRange;
  needsRows: boolean;
}

interface GetCall {
  how: 'by id';
  target: Target;
  /** Undefined where the caller's token has the id. */
  ids: readonly (string | undefined)[];
}

interface WriteCall {
  how: 'write';
  kind: Kind;
}

/** Many writes, each after the others of its chain. The chains run side by side. */
interface PushCall {
  how: 'push';
  chains: Kind[][];
}

/** Representations that need no call: bad ones, and those of which the answer shows the id alone. */
interface NoCall {
  how: 'no call';
  objects: number;
}

const listOf = new Map<string, ListEndpointName>(
  Object.entries(endpoints).flatMap(([name, { does, rootField }]) =>
    does === 'list' ? [[rootField, name as ListEndpointName]] : [],
  ),
);

/**
 * The calls that the root fields ask for, each response key once. Introspection asks for no call. Neither does a
 * field whose arguments break a bound of the schema, or whose id the service cannot have. `refuse` gets the reason. A
 * mutation with such a field sends nothing at all.
 * @throws GraphQLError for a condition of @skip or @include that is null.
 */
export function rootCallsOf(
  { tree, variableValues }: ExecutionArgs,
  maxPageSize: number,
  refuse?: (field: Field, reason: unknown) => void,
): RootCall[] {
  const calls: RootCall[] = [];
  let isRefused = false;
  for (const field of tree.fields) {
    if (!callsService(field)) continue;
    try {
      if (field.name === '_entities') calls.push(...entityCalls(field, variableValues));
      else calls.push({ field, ...callOf(field, variableValues, maxPageSize) });
    } catch (reason) {
      // The resolver gives the reason, without a call.
      isRefused = true;
      refuse?.(field, reason);
    }
  }
  return isRefused && tree.definition.operation === 'mutation' ? [] : calls;
}

/** The gateway answers introspection, its SDL and leaves itself. */
export function callsService({ name, definition }: Field): boolean {
  return !name.startsWith('__') && name !== '_service' && !isLeafType(getNamedType(definition.type));
}

/** The chains of all pushes. Each has a budget of its own. */
export function pushedChains(calls: readonly RootCall[]): Kind[][] {
  return calls.flatMap((call) => (call.how === 'push' ? call.chains : []));
}

/** One call for each kind of object that a router asks for, and one entry for all that needs none. */
function entityCalls(field: Field, variableValues: ExecutionArgs['variableValues']): RootCall[] {
  const { representations } = getArgumentValues(field.definition, field.nodes[0] as FieldNode, variableValues);
  const { places, idsByTarget } = readRepresentations(representations as unknown[]);
  const calls: RootCall[] = [];
  let bad = places.length;
  let bare = 0;
  for (const [target, ids] of idsByTarget) {
    bad -= ids.length;
    if (planAmong(field, target).needsNothing) bare += ids.length;
    else calls.push({ field, how: 'by id', target, ids });
  }
  return [...calls, { field, how: 'no call', objects: bare + bad * objectsPerError }];
}

/** @throws for arguments that are refused. */
function callOf(
  field: Field,
  variableValues: ExecutionArgs['variableValues'],
  maxPageSize: number,
): ListCall | GetCall | WriteCall | PushCall {
  const { definition, parentType, name, nodes, tree } = field;
  const type = getNamedType(definition.type) as GraphQLObjectType;
  const args = getArgumentValues(definition, nodes[0] as FieldNode, variableValues);
  if (typeof args.id === 'string' && !isPossibleId(args.id)) throw new Error('The service cannot have this id.');
  if (name === 'push') {
    const chains = chainsOf(planPush((args as MutationPushArgs).writes, tree.schema));
    return { how: 'push', chains: chains.map((chain) => chain.map(({ kind }) => kind)) };
  }
  if (tree.definition.operation === 'mutation') {
    checkBounds({ schema: tree.schema, parentType, fieldName: name }, args);
    return { how: 'write', kind: type.name as Kind };
  }
  const endpoint = listOf.get(definition.name);
  if (!endpoint) return { how: 'by id', target: type.name as Target, ids: [args.id as string | undefined] };
  const filters = filtersOf(endpoint, args);
  const range = rowRangeOf(args as PageArguments, maxPageSize, () => listDigest({ endpoint, filters }));
  const showsRows = field.select(type).fields.some(({ name }) => rowFields.has(name));
  const needsRows = range.size > 0 && showsRows;
  return { how: 'list', endpoint, filters, range, needsRows };
}
