import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode, visit } from 'graphql';
import type { AnswerLimit } from './answer-limit.ts';
import { FieldTree, type Fragments } from './field-tree.ts';

/** One run of an operation, as graphql-js names its parts. */
export interface ExecutionArgs {
  operation: Operation;
  tree: FieldTree;
  /** Coerced to their types. */
  variableValues: Record<string, unknown>;
  contextValue: unknown;
  /** Without one, an answer may have any size. */
  answer?: AnswerLimit;
}

/** A valid document, whose operations share its fragments. */
export class ValidDocument {
  readonly schema: GraphQLSchema;
  readonly node: DocumentNode;
  readonly fragments: Fragments;
  /** Names of the variables that @skip and @include read. */
  readonly conditions: readonly string[];
  readonly #operations = new Map<OperationDefinitionNode, Operation>();

  constructor(schema: GraphQLSchema, node: DocumentNode) {
    this.schema = schema;
    this.node = node;
    const fragments = node.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
    this.fragments = Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment]));
    this.conditions = conditionsOf(node);
  }

  operation(definition: OperationDefinitionNode): Operation {
    let operation = this.#operations.get(definition);
    if (!operation) {
      operation = new Operation(this, definition);
      this.#operations.set(definition, operation);
    }
    return operation;
  }
}

let lastId = 0;

/** One operation of a valid document. */
export class Operation {
  readonly document: ValidDocument;
  readonly definition: OperationDefinitionNode;
  readonly #id = String(++lastId);

  constructor(document: ValidDocument, definition: OperationDefinitionNode) {
    this.document = document;
    this.definition = definition;
  }

  /** Names the tree of these variables in a cache. No other operation of the process has this key. */
  treeKey(variableValues: Readonly<Record<string, unknown>>): string {
    const { conditions } = this.document;
    if (conditions.length === 0) return this.#id;
    return `${this.#id} ${JSON.stringify(conditions.map((name) => variableValues[name]))}`;
  }

  /** The fields that these variables select. @skip and @include with n variables make up to 2^n trees. */
  tree(variableValues: Readonly<Record<string, unknown>>): FieldTree {
    // A cached tree outlives the request, and must not hold other variables of the caller.
    const conditions = this.document.conditions.map((name) => [name, variableValues[name]]);
    return new FieldTree(this, Object.fromEntries(conditions));
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
