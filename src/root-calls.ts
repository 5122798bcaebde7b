import {
  type FieldNode,
  GraphQLIncludeDirective,
  type GraphQLOutputType,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { isListed, type ListedKind } from './loaders/by-id.ts';
import { type PageArguments, type RowRange, rowRangeOf } from './loaders/connection.ts';
import type { SelectionContext } from './loaders/plan.ts';
import type { Kind, Target } from './loaders/references.ts';
import { DateTime } from './rest/date-time.ts';

/** A valid operation that is about to run, with the variables as graphql-js coerced them. */
export interface ReadyOperation extends SelectionContext {
  operation: OperationDefinitionNode;
  maxPageSize: number;
}

/** `filters`: as one text, the same for equal ones; empty where all rows are asked for. */
export type RootCall =
  | { how: 'list'; kind: Kind; filters: string; range: RowRange; needsRows: boolean }
  | { how: 'by id'; target: Target; id: string }
  | { how: 'write'; kind: Kind };

export interface RootField {
  call: RootCall;
  type: GraphQLOutputType;
  nodes: readonly FieldNode[];
}

/**
 * What the fields of Query or Mutation ask of the service, each response key once. Introspection asks nothing, and
 * neither does a field whose arguments will be refused.
 */
export function rootFieldsOf(ready: ReadyOperation): RootField[] {
  const { schema, operation } = ready;
  const definitions = schema.getRootType(operation.operation)?.getFields() ?? {};
  const fields: RootField[] = [];
  for (const nodes of collectFields(ready, [operation.selectionSet]).values()) {
    const [node] = nodes as [FieldNode];
    const definition = definitions[node.name.value];
    if (!definition) continue;
    const { type } = definition;
    const { name } = getNamedType(type);
    if (operation.operation === 'mutation') {
      fields.push({ call: { how: 'write', kind: name as Kind }, type, nodes });
      continue;
    }
    try {
      const args = getArgumentValues(definition, node, ready.variableValues);
      fields.push({ call: readOf(ready, name, args, nodes), type, nodes });
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

/** @throws BAD_USER_INPUT for a range of rows that no list has. */
function readOf(ready: ReadyOperation, type: string, args: Record<string, unknown>, nodes: FieldNode[]): RootCall {
  const [, kind] = /^(.+)Connection$/.exec(type) ?? [];
  if (kind === undefined) return { how: 'by id', target: type as Target, id: String(args.id) };
  const range = rowRangeOf(args as PageArguments, ready.maxPageSize);
  const selected = collectFields(
    ready,
    nodes.flatMap(({ selectionSet }) => selectionSet ?? []),
  );
  const showsRows = [...selected.values()].some(([field]) => /^(results|edges)$/.test(field?.name.value ?? ''));
  const needsRows = range.size > 0 && showsRows;
  return { how: 'list', kind: kind as Kind, filters: textOf(filtersOf(args)), range, needsRows };
}

const paging = new Set(['limit', 'offset', 'first', 'after', 'last', 'before']);

/** In the order of the schema, whatever the order of the document. What filters nothing is left out. */
function filtersOf(args: Record<string, unknown>): [string, unknown][] {
  return Object.entries(args).filter(([name, value]) => !paging.has(name) && value != null && value !== false);
}

function textOf(filters: [string, unknown][]): string {
  if (filters.length === 0) return '';
  return JSON.stringify(
    filters.map(([name, value]) => [name, value instanceof DateTime ? value.in('unix') : String(value)]),
  );
}

/**
 * The fields of a selection by response key, as execution merges them. For Query, Mutation and the types of lists: they
 * have no interfaces, so every fragment in a valid selection is on the type itself.
 */
function collectFields(ready: ReadyOperation, sets: readonly SelectionSetNode[]): Map<string, FieldNode[]> {
  const fields = new Map<string, FieldNode[]>();
  const visited = new Set<string>();
  const collect = (set: SelectionSetNode): void => {
    for (const node of set.selections) {
      const skip = getDirectiveValues(GraphQLSkipDirective, node, ready.variableValues);
      const include = getDirectiveValues(GraphQLIncludeDirective, node, ready.variableValues);
      if (skip?.if === true || include?.if === false) continue;
      if (node.kind === 'InlineFragment') {
        collect(node.selectionSet);
      } else if (node.kind === 'Field') {
        const key = (node.alias ?? node.name).value;
        fields.set(key, [...(fields.get(key) ?? []), node]);
      } else if (!visited.has(node.name.value)) {
        visited.add(node.name.value);
        const fragment = ready.fragments[node.name.value];
        if (fragment) collect(fragment.selectionSet);
      }
    }
  };
  for (const set of sets) collect(set);
  return fields;
}
