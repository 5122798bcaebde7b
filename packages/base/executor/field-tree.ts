import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  isAbstractType,
  isObjectType,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';
import { madeOnce } from '../maps.ts';

export type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

/** Fields that an operation selects on one object type. */
export interface Selection {
  /** By response key, in the order of the document. */
  readonly fields: readonly Field[];
  /** A fragment has this object type as its condition, so objects of other types get other fields. */
  readonly namesType: boolean;
}

/**
 * The fields of one operation, for one choice of the variables that @skip, @include and fields below the root read.
 * Execution, the plan of loads and the limits all read this tree. A selection below the root is collected on first use.
 */
export class FieldTree {
  readonly schema: GraphQLSchema;
  readonly definition: OperationDefinitionNode;
  readonly #fragments: Fragments;
  /** The values of these variables. */
  readonly conditions: Readonly<Record<string, unknown>>;
  #root: Selection | undefined;
  #names: ReadonlySet<string> | undefined;
  readonly #selections = new Map<string, Selection>();
  readonly #setNumbers = new Map<SelectionSetNode, number>();
  #slots = 0;

  constructor(
    { schema, fragments }: { schema: GraphQLSchema; fragments: Fragments },
    definition: OperationDefinitionNode,
    conditions: Readonly<Record<string, unknown>>,
  ) {
    this.schema = schema;
    this.definition = definition;
    this.#fragments = fragments;
    this.conditions = conditions;
  }

  /** The fields of Query or Mutation. @throws GraphQLError for a condition that is null. */
  get fields(): readonly Field[] {
    const { schema, definition } = this;
    this.#root ??= this.select(schema.getRootType(definition.operation) as GraphQLObjectType, [
      definition.selectionSet,
    ]);
    return this.#root.fields;
  }

  /** Names of the fields of Query or Mutation; none where a condition is null. */
  get names(): ReadonlySet<string> {
    try {
      this.#names ??= new Set(this.fields.map(({ name }) => name));
    } catch {
      this.#names = new Set();
    }
    return this.#names;
  }

  /**
   * The fields of these sets on one type. Fields that have the same sets share the selection. Otherwise a field below
   * five objects of three types each would be in the tree 243 times.
   * @throws GraphQLError for a condition that is null.
   */
  select(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): Selection {
    const key = `${type.name} ${sets.map((set) => this.#numberOf(set))}`;
    return madeOnce(this.#selections, key, () => this.#merge(type, sets));
  }

  #numberOf(set: SelectionSetNode): number {
    return madeOnce(this.#setNumbers, set, () => this.#setNumbers.size);
  }

  /** Merges selections as the GraphQL specification says (6.3.2). */
  #merge(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): Selection {
    const nodes = new Map<string, FieldNode[]>();
    const spread = new Set<string>();
    let namesType = false;
    const collectFragment = (condition: string | undefined, set: SelectionSetNode): void => {
      if (condition === type.name) namesType = true;
      else if (condition !== undefined && !this.#isSubType(condition, type)) return;
      collect(set);
    };
    const collect = (set: SelectionSetNode): void => {
      for (const node of set.selections) {
        if (!this.#isIncluded(node)) continue;
        if (node.kind === 'Field') {
          const key = (node.alias ?? node.name).value;
          const others = nodes.get(key);
          if (others) others.push(node);
          else nodes.set(key, [node]);
        } else if (node.kind === 'InlineFragment') {
          collectFragment(node.typeCondition?.name.value, node.selectionSet);
        } else if (!spread.has(node.name.value)) {
          spread.add(node.name.value);
          const fragment = this.#fragments[node.name.value];
          if (fragment) collectFragment(fragment.typeCondition.name.value, fragment.selectionSet);
        }
      }
    };
    for (const set of sets) collect(set);
    const fields = [...nodes].map(([key, each]) => new Field(this, type, key, each, this.#slots++));
    return { fields, namesType };
  }

  #isSubType(name: string, type: GraphQLObjectType): boolean {
    const condition = this.schema.getType(name);
    return isAbstractType(condition) && this.schema.isSubType(condition, type);
  }

  #isIncluded(node: Parameters<typeof getDirectiveValues>[1]): boolean {
    if (!node.directives?.length) return true;
    if (getDirectiveValues(GraphQLSkipDirective, node, this.conditions)?.if === true) return false;
    return getDirectiveValues(GraphQLIncludeDirective, node, this.conditions)?.if !== false;
  }
}

/** A field at one place of an operation. */
export class Field {
  readonly tree: FieldTree;
  readonly parentType: GraphQLObjectType;
  /** The key in the answer: the alias, or the name where there is none. */
  readonly key: string;
  readonly name: string;
  readonly nodes: readonly FieldNode[];
  readonly definition: GraphQLField<unknown, unknown>;
  /** Number of the field in its tree. */
  readonly slot: number;
  #selections: Map<GraphQLObjectType, Selection> | undefined;

  constructor(tree: FieldTree, parentType: GraphQLObjectType, key: string, nodes: readonly FieldNode[], slot: number) {
    this.tree = tree;
    this.parentType = parentType;
    this.key = key;
    this.nodes = nodes;
    this.name = (nodes[0] as FieldNode).name.value;
    this.definition =
      metaFields.get(this.name) ?? (parentType.getFields()[this.name] as GraphQLField<unknown, unknown>);
    this.slot = slot;
  }

  /** The object types that its values may have; none for a leaf. */
  get objectTypes(): readonly GraphQLObjectType[] {
    const type = getNamedType(this.definition.type);
    if (isAbstractType(type)) return this.tree.schema.getPossibleTypes(type);
    return isObjectType(type) ? [type] : [];
  }

  /** The fields below, of an object of this type. @throws GraphQLError for a condition that is null. */
  select(type: GraphQLObjectType): Selection {
    this.#selections ??= new Map();
    const setsOf = ({ selectionSet }: FieldNode) => selectionSet ?? [];
    return madeOnce(this.#selections, type, () => this.tree.select(type, this.nodes.flatMap(setsOf)));
  }
}

const metaFields: ReadonlyMap<string, GraphQLField<unknown, unknown>> = new Map(
  [TypeNameMetaFieldDef, SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]),
);
