import { type FragmentDefinitionNode, Kind, type OperationDefinitionNode, print, type SelectionSetNode } from 'graphql';

/** Arguments that choose rows of a list: its count serves them all. */
const paging = new Set(['limit', 'offset', 'first', 'after', 'last', 'before']);

/**
 * The fewest REST calls that an operation can do with: one for each root field, reads of the same thing taken together.
 * What may be skipped is not counted, and neither is what long lists and references add.
 */
export function fewestCalls(
  operation: OperationDefinitionNode,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
): number {
  const reads = new Set<string>();
  let writes = 0;
  const visited = new Set<string>();
  const count = (set: SelectionSetNode): void => {
    for (const node of set.selections) {
      if (node.directives?.length) continue;
      if (node.kind === Kind.INLINE_FRAGMENT) {
        count(node.selectionSet);
      } else if (node.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments[node.name.value];
        if (!fragment || visited.has(node.name.value)) continue;
        visited.add(node.name.value);
        count(fragment.selectionSet);
      } else if (!node.name.value.startsWith('__')) {
        const filters = (node.arguments ?? []).filter(({ name }) => !paging.has(name.value));
        reads.add([node.name.value, ...filters.map(print)].join(' '));
        writes += 1;
      }
    }
  };
  count(operation.selectionSet);
  return operation.operation === 'mutation' ? writes : reads.size;
}
