import { codedError, type ErrorCode } from '@gateway/base';
import {
  type ASTNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  getIntrospectionQuery,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationRule,
} from 'graphql';
import type { ServeSettings } from '../../settings.ts';

export type DocumentLimits = ServeSettings['limits']['documents'];

/** Figures of a selection or of an operation that add up. A fragment counts each time that it is spread. */
const sums = {
  /** All fields. */
  fields: 0,
  /** Fields of the top level. */
  topFields: 0,
  aliases: 0,
  directives: 0,
  /** About how many values introspection gives. */
  schemaValues: 0,
  /** About how many values the selection would give on `__schema`. */
  valuesOfSchema: 0,
};

/** Figures of which the largest counts. */
const maxima = {
  /** Levels of fields, without introspection. */
  depth: 0,
  /** The most fields of one object. */
  fieldsOfObject: 0,
  /** The most directives at one field, fragment, variable or operation. */
  directivesOfNode: 0,
  /** Levels of introspection. */
  schemaDepth: 0,
};

type Size = typeof sums & typeof maxima & { introspection?: FieldNode | undefined };

interface Measured {
  definition: OperationDefinitionNode | FragmentDefinitionNode;
  size: Size;
}

const summed = Object.keys(sums) as (keyof typeof sums)[];
const largest = Object.keys(maxima) as (keyof typeof maxima)[];
const nothing: Size = { ...sums, ...maxima };
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
 * Refuses a document before the other rules read it. The errors of a hostile document take long to find. A few nested
 * fragments can stand for millions of fields. The answer has the code of the refusal and HTTP 400.
 */
export function documentRule(limits: DocumentLimits, isIntrospectionEnabled: boolean): ValidationRule {
  return (context) => ({
    Document(document) {
      const refusal = refusalOf(document, limits, isIntrospectionEnabled);
      if (!refusal) return undefined;
      context.reportError(refusal);
      // The other rules see an empty document.
      return null;
    },
  });
}

/**
 * Line ends and comments are no tokens, but take as long to read. Each error counts the line ends again.
 * @throws QUERY_TOO_COMPLEX for more lines than tokens are allowed.
 */
export function requireFewLines(query: string, maxTokens: number, status = 400): void {
  const lineEnd = /\r\n|[\n\r]/g;
  for (let lines = 1; lineEnd.test(query); lines++) {
    if (lines < maxTokens) continue;
    const message = `The document has more than ${maxTokens} lines (limits.documents.tokens).`;
    throw codedError('QUERY_TOO_COMPLEX', message, { http: { status } });
  }
}

/** The largest query that tools send to read the schema. Other queries may be twice as deep, and ask for twice as much. */
const [standardIntrospection] = measure(
  parse(
    getIntrospectionQuery({
      descriptions: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      oneOf: true,
    }),
  ),
);

function refusalOf(
  document: DocumentNode,
  limits: DocumentLimits,
  isIntrospectionEnabled: boolean,
): GraphQLError | undefined {
  for (const measured of measure(document)) {
    const { introspection } = measured.size;
    if (introspection && !isIntrospectionEnabled) {
      return refusal('GRAPHQL_VALIDATION_FAILED', 'Introspection is switched off (INTROSPECTION).', introspection);
    }
    const problem = problemWith(measured, limits);
    if (problem) return refusal('QUERY_TOO_COMPLEX', problem, measured.definition);
  }
  return undefined;
}

function problemWith({ definition, size }: Measured, limits: DocumentLimits): string | undefined {
  const isOperation = definition.kind === Kind.OPERATION_DEFINITION;
  const subject = isOperation ? 'The operation' : `The fragment ${definition.name.value}`;
  const anywhere: Count[] = [
    [size.fieldsOfObject, limits.fieldsPerObject, 'fields of one object', 'fieldsPerObject'],
    [size.directivesOfNode, limits.directivesPerNode, 'directives at one place', 'directivesPerNode'],
  ];
  const inAll: Count[] = [
    [size.depth, limits.depth, 'levels of fields', 'depth'],
    [size.fields, limits.fields, 'fields', 'fields'],
    [size.topFields, limits.rootFields, 'fields at its root', 'rootFields'],
    [size.aliases, limits.aliases, 'aliases', 'aliases'],
    [size.directives, limits.directives, 'directives', 'directives'],
  ];
  for (const [actual, allowed, what, setting] of isOperation ? [...inAll, ...anywhere] : anywhere) {
    if (actual <= allowed) continue;
    return `${subject} has ${actual} ${what}; ${allowed} are allowed (limits.documents.${setting}).`;
  }
  const { schemaDepth = 0, schemaValues = 0 } = standardIntrospection?.size ?? {};
  if (size.schemaDepth <= 2 * schemaDepth && size.schemaValues <= 2 * schemaValues) return undefined;
  return `${subject} asks for more than twice as much of the schema as the standard introspection query.`;
}

type Count = [actual: number, allowed: number, what: string, setting: keyof DocumentLimits];

function refusal(code: ErrorCode, message: string, node: ASTNode): GraphQLError {
  return codedError(code, message, { http: { status: 400 }, nodes: [node] });
}

/**
 * The sizes of all operations and fragments of a document, which need not be valid. Each fragment is measured once, so the
 * time is linear in the length of the document.
 */
function measure({ definitions }: DocumentNode): Measured[] {
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
  const size = { ...one, introspection: one.introspection ?? other.introspection };
  for (const name of summed) size[name] += other[name];
  for (const name of largest) size[name] = Math.max(size[name], other[name]);
  return size;
}
