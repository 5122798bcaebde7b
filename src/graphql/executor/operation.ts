import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode, visit } from 'graphql';
import { FieldTree, type Fragments } from './field-tree.ts';

/** One run of an operation, as graphql-js names its parts. */
export interface ExecutionArgs {
  operation: Operation;
  tree: FieldTree;
  /** Coerced to their types. */
  variableValues: Record<string, unknown>;
  contextValue: unknown;
}

/** The most trees of one operation: @skip and @include with n variables make up to 2^n trees. */
const maxTrees = 64;

/** One operation of a valid document. Every request that sends the document shares its trees. */
export class Operation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly definition: OperationDefinitionNode;
  readonly fragments: Fragments;
  readonly #conditions: readonly string[];
  readonly #trees = new Map<string, FieldTree>();

  constructor(schema: GraphQLSchema, document: DocumentNode, definition: OperationDefinitionNode) {
    this.schema = schema;
    this.document = document;
    this.definition = definition;
    const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
    this.fragments = Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment]));
    this.#conditions = conditionsOf(document);
  }

  /** The fields that these variables select. */
  tree(variableValues: Readonly<Record<string, unknown>>): FieldTree {
    const conditions = this.#conditions;
    const key = conditions.length === 0 ? '' : JSON.stringify(conditions.map((name) => variableValues[name]));
    let tree = this.#trees.get(key);
    if (!tree) {
      // The tree outlives the request, and must not hold other variables of the caller.
      tree = new FieldTree(this, Object.fromEntries(conditions.map((name) => [name, variableValues[name]])));
      if (this.#trees.size < maxTrees) this.#trees.set(key, tree);
    }
    return tree;
  }
}

/** Variables that are arguments of directives. */
function conditionsOf(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive(directive) {
      for (const { value } of directive.arguments ?? []) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}
