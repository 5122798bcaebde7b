import { type ExecutionArgs, type Field, ValidDocument } from '@gateway/base';
import { type FieldNode, Kind, type OperationDefinitionNode, visit } from 'graphql';
import type { Places } from './places.ts';

/** Keys that no client can choose, because names of GraphQL have no `$`. */
export const typeKey = '$type';
const searchFields = ['complete', 'reason'];

/**
 * The operation, which also asks for the types of the objects with places. On the way to them, it asks what was found by
 * a search whether the search was complete.
 */
export function markedOperation(args: ExecutionArgs, { paths }: Places): ExecutionArgs {
  const { document, definition } = args.operation;
  const added = new Map<FieldNode, FieldNode[]>();
  const objects = new Set(paths.map((path) => path.at(-1)));
  for (const field of paths.flat()) {
    const marks = objects.has(field) ? [fieldNode('__typename', typeKey)] : searchMarks(field);
    for (const node of field.nodes) added.set(node, marks);
  }
  const node = visit(document.node, {
    Field: (field) => {
      const marks = added.get(field);
      if (!marks?.length || !field.selectionSet) return undefined;
      return {
        ...field,
        selectionSet: { ...field.selectionSet, selections: [...field.selectionSet.selections, ...marks] },
      };
    },
  });
  const marked = node.definitions[document.node.definitions.indexOf(definition)] as OperationDefinitionNode;
  const operation = new ValidDocument(document.schema, node).operation(marked);
  return { ...args, operation, tree: operation.tree(args.variableValues) };
}

function searchMarks({ objectTypes }: Field): FieldNode[] {
  const isSearch = objectTypes.every((type) => searchFields.every((name) => name in type.getFields()));
  return isSearch ? searchFields.map((name) => fieldNode(name, `$${name}`)) : [];
}

function fieldNode(name: string, alias: string): FieldNode {
  return { kind: Kind.FIELD, name: { kind: Kind.NAME, value: name }, alias: { kind: Kind.NAME, value: alias } };
}

/** The reason why a search that found this object was not complete. */
export function incompleteness(object: Readonly<Record<string, unknown>>): string | undefined {
  return object.$complete === false ? String(object.$reason) : undefined;
}
