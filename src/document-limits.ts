import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';
import { codedError } from './errors.ts';

export interface DocumentLimits {
  /** Fields below each other. */
  maxDepth: number;
  /** Fields in all, fragments counted as often as they are spread. */
  maxSelections: number;
}

interface Size {
  depth: number;
  selections: number;
}

/**
 * Measures every operation of a valid document before anything is planned: a few nested fragments can stand for millions
 * of fields. Each fragment is measured once, so the measure takes as long as the document is. Introspection is not counted
 * in depth: its standard query is deeper than any list of the graph.
 * @throws QUERY_TOO_COMPLEX
 */
export function checkDocument(document: DocumentNode, limits: DocumentLimits): void {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const measured = new Map<string, Size>();

  const sizeOfFragment = (name: string): Size => {
    const known = measured.get(name);
    if (known) return known;
    const fragment = fragments.get(name);
    const size = fragment ? sizeOf(fragment.selectionSet) : { depth: 0, selections: 0 };
    measured.set(name, size);
    return size;
  };
  const sizeOf = (set: SelectionSetNode): Size => {
    const total: Size = { depth: 0, selections: 0 };
    for (const node of set.selections) {
      let size: Size;
      if (node.kind === Kind.FIELD) {
        const below = node.selectionSet ? sizeOf(node.selectionSet) : { depth: 0, selections: 0 };
        const isIntrospection = node.name.value.startsWith('__');
        size = { depth: isIntrospection ? 0 : below.depth + 1, selections: below.selections + 1 };
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        size = sizeOf(node.selectionSet);
      } else {
        size = sizeOfFragment(node.name.value);
      }
      total.depth = Math.max(total.depth, size.depth);
      total.selections += size.selections;
    }
    return total;
  };

  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const { depth, selections } = sizeOf(definition.selectionSet);
    if (depth > limits.maxDepth) {
      throw tooComplex(`The operation is ${depth} fields deep; ${limits.maxDepth} are allowed.`);
    }
    if (selections > limits.maxSelections) {
      throw tooComplex(`The operation selects ${selections} fields; ${limits.maxSelections} are allowed.`);
    }
  }
}

function tooComplex(message: string) {
  return codedError('QUERY_TOO_COMPLEX', message, { http: { status: 400 } });
}
