import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getArgumentValues,
  getNamedType,
  isLeafType,
  type OperationDefinitionNode,
} from 'graphql';
import { isListed, type ListedKind } from '../loaders/by-id.ts';
import { type PageArguments, type RowRange, rowRangeOf } from '../loaders/connection.ts';
import { filtersOf, rowFields } from '../loaders/list-filters.ts';
import { rowTypes } from '../loaders/list-pages.ts';
import type { SelectionContext } from '../loaders/plan.ts';
import type { Kind, Target } from '../loaders/references.ts';
import type { Filters } from '../loaders/rows-request.ts';
import { checkBounds } from '../resolvers/bounds.ts';
import type { ListEndpointName } from '../upstream/endpoints.ts';
import { isPathSegment } from '../upstream/path-segment.ts';
import { collectFields } from './executor/compile.ts';

/** A valid operation that is about to run, with the variables as graphql-js coerced them. */
export interface ReadyOperation extends SelectionContext {
  operation: OperationDefinitionNode;
  maxPageSize: number;
}

export type RootCall =
  | { how: 'list'; endpoint: ListEndpointName; filters: Filters; range: RowRange; needsRows: boolean }
  | { how: 'by id'; target: Target; id: string }
  | { how: 'write'; kind: Kind };

export interface RootField {
  call: RootCall;
  type: GraphQLOutputType;
  nodes: readonly FieldNode[];
}

const listOf = new Map<string, ListEndpointName>(
  Object.entries(rowTypes).map(([operation, kind]) => [`${kind}Connection`, operation as ListEndpointName]),
);

/**
 * What the fields of Query or Mutation ask of the service, each response key once. Introspection asks nothing, and
 * neither does a field whose arguments will be refused: by the bounds of the schema, or as the id of nothing.
 */
export function rootFieldsOf(ready: ReadyOperation): RootField[] {
  const { schema, operation } = ready;
  const root = schema.getRootType(operation.operation) as GraphQLObjectType;
  const fields: RootField[] = [];
  for (const nodes of collectFields(ready, root, [operation.selectionSet]).values()) {
    const definition = root.getFields()[nodes[0]?.name.value ?? ''];
    // What the gateway knows by itself is a leaf.
    if (!definition || isLeafType(getNamedType(definition.type))) continue;
    try {
      fields.push({ call: callOf(ready, root, definition, nodes), type: definition.type, nodes });
    } catch {
      // Its resolver will say why, without a call.
    }
  }
  return fields;
}

/** The kind in whose list an object may be looked for instead of asking for it by id. */
export function listedAs(target: Target): ListedKind | undefined {
  // An entity that is a company is in no list, but nobody knows that before.
  if (target === 'Entity') return 'Farmer';
  return isListed(target) ? target : undefined;
}

/** @throws for arguments that are refused. */
function callOf(
  ready: ReadyOperation,
  root: GraphQLObjectType,
  definition: GraphQLField<unknown, unknown>,
  nodes: readonly FieldNode[],
): RootCall {
  const type = getNamedType(definition.type) as GraphQLObjectType;
  const args = getArgumentValues(definition, nodes[0] as FieldNode, ready.variableValues);
  if (typeof args.id === 'string' && !isPathSegment(args.id)) throw new Error('The id of nothing.');
  if (ready.operation.operation === 'mutation') {
    checkBounds({ schema: ready.schema, parentType: root, fieldName: definition.name }, args);
    return { how: 'write', kind: type.name as Kind };
  }
  const endpoint = listOf.get(type.name);
  if (!endpoint) return { how: 'by id', target: type.name as Target, id: String(args.id) };
  const range = rowRangeOf(args as PageArguments, ready.maxPageSize);
  const selected = collectFields(
    ready,
    type,
    nodes.flatMap(({ selectionSet }) => selectionSet ?? []),
  );
  const showsRows = [...selected.values()].some(([field]) => rowFields.has(field?.name.value ?? ''));
  return {
    how: 'list',
    endpoint: endpoint,
    filters: filtersOf(endpoint, args),
    range,
    needsRows: range.size > 0 && showsRows,
  };
}
