import { type ExecutionArgs, type Field, type FieldTree, ValidDocument } from '@gateway/base';
import { contractOf } from '@gateway/contract';
import { callsService, planOf, rowFields } from '@gateway/rest-graph';
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type GraphQLCompositeType,
  type GraphQLDirective,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  type InlineFragmentNode,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** A part of an operation that is executed by itself. */
export type Piece = Pick<ExecutionArgs, 'operation' | 'tree'>;

/** A fragment that comes later: its fields, and those above it. */
export interface DeferredFragment extends Piece {
  label: string | undefined;
  /** Response keys of the objects that have the fields, from the root. */
  keys: readonly string[];
}

/** An operation without its deferred fragments, and each of them. */
export interface Split {
  initial: Piece;
  deferred: readonly DeferredFragment[];
}

/** Fragments of an operation that come later. All others are executed at once. */
const maxDeferred = 20;
/** Fields and fragments of an operation once its fragments are expanded. A larger one is executed at once. */
const maxNodes = 5_000;

const splits = new WeakMap<FieldTree, Split | undefined>();

/**
 * Splits a query at the fragments whose fields take further loads. Undefined where all is executed at once: in a mutation,
 * and where no fragment takes more.
 */
export function splitOf(args: ExecutionArgs): Split | undefined {
  const { tree } = args;
  if (tree.definition.operation !== 'query') return undefined;
  if (splits.has(tree)) return splits.get(tree);
  let split: Split | undefined;
  try {
    split = new Splitter(args).split();
  } catch {
    // A condition is null, which the executor says as always.
  }
  splits.set(tree, split);
  return split;
}

/** A place in the operation. */
interface Place {
  keys: readonly string[];
  /** The selections of the root that select no more than these at the place. */
  fromRoot(selections: readonly SelectionNode[]): readonly SelectionNode[];
}

const root: Place = { keys: [], fromRoot: (selections) => selections };

class Splitter {
  readonly #args: ExecutionArgs;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #defer: GraphQLDirective | undefined;
  readonly #deferred: DeferredFragment[] = [];
  #nodes = 0;

  constructor(args: ExecutionArgs) {
    this.#args = args;
    const { definitions } = args.operation.document.node;
    const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
    this.#fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
    this.#defer = args.tree.schema.getDirective('defer') ?? undefined;
  }

  split(): Split | undefined {
    const { schema, definition } = this.#args.tree;
    const type = schema.getQueryType();
    if (!this.#defer || !type) return undefined;
    const selections = this.#selections(definition.selectionSet, type, root);
    if (this.#deferred.length === 0 || this.#nodes > maxNodes) return undefined;
    const initial = this.#piece(selections);
    const deferred = this.#deferred.filter(({ tree: { fields } }) => !isCovered(fields, initial.tree.fields));
    return deferred.length > 0 ? { initial, deferred } : undefined;
  }

  /** The selections of a set without its deferred fragments, which are noted. */
  #selections({ selections }: SelectionSetNode, type: GraphQLCompositeType, place: Place): SelectionNode[] {
    this.#nodes += selections.length;
    if (this.#nodes > maxNodes) return [];
    return selections
      .filter((node) => this.#isIncluded(node))
      .flatMap((node) =>
        node.kind === Kind.FIELD ? this.#field(node, type, place) : this.#fragment(node, type, place),
      );
  }

  #field(node: FieldNode, type: GraphQLCompositeType, place: Place): FieldNode {
    const bare = { ...node, directives: [] };
    const fieldType = 'getFields' in type ? type.getFields()[node.name.value]?.type : undefined;
    const below = fieldType && (getNamedType(fieldType) as GraphQLCompositeType);
    // Introspection is answered at once.
    if (!node.selectionSet || !below) return bare;
    const withSet = (selections: readonly SelectionNode[]) => ({ ...bare, selectionSet: setOf(selections) });
    const key = (node.alias ?? node.name).value;
    const selections = this.#selections(node.selectionSet, below, {
      keys: [...place.keys, key],
      fromRoot: (inner) => place.fromRoot([withSet(inner)]),
    });
    return withSet(selections);
  }

  #fragment(
    node: InlineFragmentNode | FragmentSpreadNode,
    type: GraphQLCompositeType,
    place: Place,
  ): readonly SelectionNode[] {
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : this.#fragments.get(node.name.value);
    if (!fragment) return [];
    const { typeCondition, selectionSet } = fragment;
    if (this.#isDeferred(node, selectionSet, type, place)) return [];
    const name = typeCondition?.name.value ?? type.name;
    const condition = this.#args.tree.schema.getType(name) as GraphQLCompositeType;
    const onType = (selections: readonly SelectionNode[]): readonly SelectionNode[] =>
      name === type.name
        ? selections
        : [{ kind: Kind.INLINE_FRAGMENT, typeCondition, selectionSet: setOf(selections) } as InlineFragmentNode];
    return onType(
      this.#selections(selectionSet, condition, {
        keys: place.keys,
        fromRoot: (inner) => place.fromRoot(onType(inner)),
      }),
    );
  }

  #isDeferred(node: SelectionNode, { selections }: SelectionSetNode, type: GraphQLCompositeType, place: Place) {
    const values = this.#values(this.#defer as GraphQLDirective, node);
    if (!values || values.if === false || !isObjectType(type) || this.#deferred.length === maxDeferred) return false;
    const piece = this.#piece(place.fromRoot(selections));
    if (!takesMore(piece.tree, place.keys, this.#args.tree)) return false;
    this.#deferred.push({ ...piece, label: values.label as string | undefined, keys: place.keys });
    return true;
  }

  /** A query of its own, with these selections. */
  #piece(selections: readonly SelectionNode[]): Piece {
    const { operation, tree, variableValues } = this.#args;
    const definition: OperationDefinitionNode = { ...operation.definition, selectionSet: setOf(selections) };
    const definitions = [definition, ...this.#fragments.values()];
    const part = new ValidDocument(tree.schema, { kind: Kind.DOCUMENT, definitions }).operation(definition);
    return { operation: part, tree: part.tree(variableValues) };
  }

  #isIncluded(node: SelectionNode): boolean {
    return (
      this.#values(GraphQLSkipDirective, node)?.if !== true && this.#values(GraphQLIncludeDirective, node)?.if !== false
    );
  }

  #values(directive: GraphQLDirective, node: SelectionNode): Record<string, unknown> | undefined {
    return node.directives?.length ? getDirectiveValues(directive, node, this.#args.tree.conditions) : undefined;
  }
}

function setOf(selections: readonly SelectionNode[]): SelectionSetNode {
  return { kind: Kind.SELECTION_SET, selections };
}

/** The fields at the end of these keys take further loads. The loaders know all that stands above them. */
function takesMore(tree: FieldTree, keys: readonly string[], whole: FieldTree): boolean {
  const [key, ...others] = keys;
  if (key === undefined) {
    // A field of the root that stands outside of the fragment too is read once, for both.
    const isElsewhere = ({ key, nodes }: Field) =>
      whole.fields.some((each) => each.key === key && each.nodes.length > nodes.length);
    return tree.fields.some(callsService) && !tree.fields.some(isElsewhere);
  }
  let field = tree.fields.find((each) => each.key === key);
  if (!field || !isOfEndpoint(field)) return false;
  for (const below of others) {
    const [type, ...more]: readonly GraphQLObjectType[] = field.objectTypes;
    // Objects of several types, and fields that a part computes, are shown whole.
    if (!type || more.length > 0) return false;
    field = field.select(type).fields.find((each) => each.key === below);
    if (!field || field.definition.extensions.derived) return false;
  }
  const [plan, ...more] = planOf(field).byType.values();
  if (!plan || more.length > 0 || field.definition.extensions.derived) return false;
  // The rows of a list come in the call that counts them, and give its cursors.
  return !plan.isLeaf && !plan.embedded.some(({ key }) => others.length === 0 && rowFields.has(key));
}

/** The field reads an endpoint. Read again by the same request, it takes no call. */
function isOfEndpoint({ tree: { schema }, name }: Field): boolean {
  const contract = contractOf(schema);
  return contract.endpointNames.some((each) => contract.endpoint(each).rootField === name);
}

/** Other selections have all that these have. */
function isCovered(fields: readonly Field[], others: readonly Field[]): boolean {
  return fields.every((field) => {
    const other = others.find(({ key }) => key === field.key);
    return other?.objectTypes.every((type) => isCovered(field.select(type).fields, other.select(type).fields));
  });
}
