import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** The size of a selection or of an operation. A fragment counts each time that it is spread. */
export interface Size {
  /** Levels of fields, without introspection. */
  depth: number;
  /** All fields. */
  fields: number;
  /** Fields of the top level. */
  topFields: number;
  /** The most fields of one object. */
  fieldsOfObject: number;
  aliases: number;
  directives: number;
  /** The most directives at one field, fragment, variable or operation. */
  directivesOfNode: number;
  /** Levels of introspection, and about how many values they give. */
  schemaDepth: number;
  schemaValues: number;
  /** About how many values the selection would give on `__schema`. */
  valuesOfSchema: number;
  /** A field that shows the schema. */
  introspection: FieldNode | undefined;
}

export interface Measured {
  definition: OperationDefinitionNode | FragmentDefinitionNode;
  size: Size;
}

const nothing: Size = {
  depth: 0,
  fields: 0,
  topFields: 0,
  fieldsOfObject: 0,
  aliases: 0,
  directives: 0,
  directivesOfNode: 0,
  schemaDepth: 0,
  schemaValues: 0,
  valuesOfSchema: 0,
  introspection: undefined,
};
/** The size of a fragment that is missing, or that spreads itself. */
const unknown: Size = { ...nothing, fields: 1, topFields: 1 };

/** Items in each list of introspection, on average. */
const itemsOfSchema: Readonly<Record<string, number>> = {
  types: 80,
  directives: 6,
  fields: 6,
  args: 0.2,
  inputFields: 3,
  enumValues: 0.7,
  possibleTypes: 0.1,
  interfaces: 0.1,
  ofType: 0.5,
  // One long text.
  sdl: 4_000,
};

/**
 * The sizes of all operations and fragments of a document, which need not be valid. Each fragment is measured once, so the
 * time is linear in the length of the document.
 */
export function measure({ definitions }: DocumentNode): Measured[] {
  const executable = definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION || definition.kind === Kind.FRAGMENT_DEFINITION,
  );
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of executable) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const measured = new Map<string, Size>();

  const sizeOfFragment = (name: string): Size => {
    const known = measured.get(name);
    if (known) return known;
    measured.set(name, unknown);
    const fragment = fragments.get(name);
    const size = fragment ? withDirectives(sizeOfSet(fragment.selectionSet), [fragment]) : unknown;
    measured.set(name, size);
    return size;
  };
  const sizeOf = (node: SelectionNode): Size => {
    if (node.kind === Kind.INLINE_FRAGMENT) return sizeOfSet(node.selectionSet);
    if (node.kind === Kind.FRAGMENT_SPREAD) return sizeOfFragment(node.name.value);
    return sizeOfField(node, node.selectionSet ? sizeOfSet(node.selectionSet) : nothing);
  };
  const sizeOfSet = ({ selections }: SelectionSetNode): Size => {
    const size = selections.map((node) => withDirectives(sizeOf(node), [node])).reduce(both, nothing);
    return { ...size, fieldsOfObject: Math.max(size.fieldsOfObject, size.topFields) };
  };

  return executable.map((definition) => {
    const { selectionSet, variableDefinitions = [] } = definition;
    return { definition, size: withDirectives(sizeOfSet(selectionSet), [definition, ...variableDefinitions]) };
  });
}

function sizeOfField(node: FieldNode, below: Size): Size {
  const name = node.name.value;
  const asksSchema = name === '__schema' || name === '__type' || name === '_service';
  return {
    ...below,
    depth: name.startsWith('__') ? 0 : below.depth + 1,
    fields: below.fields + 1,
    topFields: 1,
    aliases: below.aliases + (node.alias ? 1 : 0),
    schemaDepth: asksSchema ? below.depth + 1 : below.schemaDepth,
    schemaValues: asksSchema ? below.valuesOfSchema + 1 : below.schemaValues,
    valuesOfSchema: (itemsOfSchema[name] ?? 1) * (below.valuesOfSchema + 1),
    introspection: asksSchema ? node : below.introspection,
  };
}

function withDirectives(
  size: Size,
  nodes: readonly { readonly directives?: readonly DirectiveNode[] | undefined }[],
): Size {
  const counts = nodes.map(({ directives = [] }) => directives.length);
  return {
    ...size,
    directives: counts.reduce((sum, count) => sum + count, size.directives),
    directivesOfNode: Math.max(size.directivesOfNode, ...counts),
  };
}

function both(one: Size, other: Size): Size {
  return {
    depth: Math.max(one.depth, other.depth),
    fields: one.fields + other.fields,
    topFields: one.topFields + other.topFields,
    fieldsOfObject: Math.max(one.fieldsOfObject, other.fieldsOfObject),
    aliases: one.aliases + other.aliases,
    directives: one.directives + other.directives,
    directivesOfNode: Math.max(one.directivesOfNode, other.directivesOfNode),
    schemaDepth: Math.max(one.schemaDepth, other.schemaDepth),
    schemaValues: one.schemaValues + other.schemaValues,
    valuesOfSchema: one.valuesOfSchema + other.valuesOfSchema,
    introspection: one.introspection ?? other.introspection,
  };
}
