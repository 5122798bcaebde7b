import {
  type ASTNode,
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { isObject, isPlain } from '../json.ts';
import { madeOnce } from '../maps.ts';
import { FieldTree, type Fragments } from './field-tree.ts';

/** A valid document, whose operations share its fragments. */
export class ValidDocument {
  readonly schema: GraphQLSchema;
  readonly node: DocumentNode;
  readonly fragments: Fragments;
  /** Names of the variables that @skip, @include and the fields below the root read. */
  readonly conditions: readonly string[];
  readonly #operations = new Map<OperationDefinitionNode, Operation>();

  constructor(schema: GraphQLSchema, node: DocumentNode) {
    this.schema = schema;
    this.node = node;
    const fragments = node.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
    this.fragments = Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment]));
    this.conditions = conditionsOf(schema, node);
  }

  operation(definition: OperationDefinitionNode): Operation {
    return madeOnce(this.#operations, definition, () => new Operation(this, definition));
  }
}

let lastId = 0;

/** The text of a value of a class, which a scalar may make. JSON would not show its private fields. */
function asText(_key: string, value: unknown): unknown {
  return isObject(value) && !isPlain(value) ? String(value) : value;
}

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
    return `${this.#id} ${JSON.stringify(
      conditions.map((name) => variableValues[name]),
      asText,
    )}`;
  }

  /** The fields that these variables select. Each combination of the conditions has its tree. */
  tree(variableValues: Readonly<Record<string, unknown>>): FieldTree {
    // A cached tree outlives the request, and must not hold other variables of the caller.
    const given = this.document.conditions.filter((name) => Object.hasOwn(variableValues, name));
    return new FieldTree(
      this.document,
      this.definition,
      Object.fromEntries(given.map((name) => [name, variableValues[name]])),
    );
  }
}

/** Variables that are arguments of directives, or of fields below Query and Mutation. */
function conditionsOf(schema: GraphQLSchema, document: DocumentNode): string[] {
  const names = new Set<string>();
  const note = (node: ASTNode) => visit(node, { Variable: ({ name }) => void names.add(name.value) });
  let depth = 0;
  visit(document, {
    FragmentDefinition: {
      enter({ typeCondition }) {
        const type = schema.getType(typeCondition.name.value);
        depth = type === schema.getQueryType() || type === schema.getMutationType() ? 0 : 1;
      },
      leave: () => {
        depth = 0;
      },
    },
    Field: {
      enter(field) {
        if (depth > 0 && field.arguments?.length) for (const argument of field.arguments) note(argument);
        depth += 1;
      },
      leave: () => {
        depth -= 1;
      },
    },
    Directive(directive) {
      note(directive);
    },
  });
  return [...names];
}
