import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  type SelectionNode,
} from 'graphql';
import { rowFields } from '../../loaders/list-filters.ts';
import type { Estimate } from '../../observability/upstream-trace.ts';
import { codedError } from '../errors/codes.ts';
import type { ReadyOperation, RootField } from '../root-calls.ts';

/** Items that a list inside an object is supposed to have: how many it has is known when it has come. */
const itemsPerList = 5;

/** About how many objects an operation asks for: as many rows of each list as its arguments say, and what is in each. */
export function costOf(ready: ReadyOperation, fields: readonly RootField[]): number {
  let cost = 0;
  for (const { call, type, nodes } of fields) {
    if (call.how === 'list' && !call.needsRows) cost += 1;
    else {
      const objects = nodes.reduce((sum, node) => sum + objectsBelow(ready, getNamedType(type), node), 0);
      cost += call.how === 'list' ? call.range.size * objects : 1 + objects;
    }
  }
  return cost;
}

/** @throws QUERY_TOO_COMPLEX */
export function requireCost({ cost }: Estimate, maxCost: number): void {
  if (cost <= maxCost) return;
  const message = `The operation asks for about ${cost} objects; ${maxCost} are allowed (MAX_COST). Ask for fewer rows or levels.`;
  throw codedError('QUERY_TOO_COMPLEX', message, { http: { status: 400 } });
}

const known = new WeakMap<FieldNode, number>();

/** For each object that the field gives; of a root list, for each row. Conditions of its document are all taken as met. */
function objectsBelow(source: Source, type: GraphQLNamedType, node: FieldNode): number {
  const before = known.get(node);
  if (before !== undefined) return before;
  const objects = objectsOf(source, type, node.selectionSet?.selections ?? []);
  known.set(node, objects);
  return objects;
}

interface Source {
  schema: GraphQLSchema;
  fragments: Readonly<Record<string, FragmentDefinitionNode>>;
}

function objectsOf(source: Source, type: GraphQLNamedType, selections: readonly SelectionNode[]): number {
  let objects = 0;
  for (const node of selections) {
    if (node.kind === 'Field') objects += objectsOfField(source, type, node);
    else {
      const fragment = node.kind === 'InlineFragment' ? node : source.fragments[node.name.value];
      const condition = fragment?.typeCondition && source.schema.getType(fragment.typeCondition.name.value);
      objects += objectsOf(source, condition ?? type, fragment?.selectionSet.selections ?? []);
    }
  }
  return objects;
}

function objectsOfField(source: Source, parent: GraphQLNamedType, node: FieldNode): number {
  const name = node.name.value;
  const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
  if (!field || !node.selectionSet) return 0;
  const each = 1 + objectsOf(source, getNamedType(field.type), node.selectionSet.selections);
  // Of what a root list gives, rows alone are as many as were asked for.
  if (parent.name.endsWith('Connection')) return rowFields.has(name) ? each : 0;
  return isListType(getNullableType(field.type)) ? itemsPerList * each : each;
}
