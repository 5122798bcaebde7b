import {
  BREAK,
  defaultFieldResolver,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  isAbstractType,
  isNonNullType,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
  visit,
} from 'graphql';
import { type Complete, completeFor, passes, type ReadObject } from './complete.ts';
import { type FieldReader, generateReader, type ReadField } from './generate.ts';
import type { FieldInfo, Run } from './run.ts';

/** The parts of a document that one of its operations is compiled from, and the variables that its directives look at. */
export interface Source {
  schema: GraphQLSchema;
  fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  operation: OperationDefinitionNode;
  variableValues: Readonly<Record<string, unknown>>;
}

/** A source that is being compiled: selections below the root are on their first use. */
interface Compilation extends Source {
  fields: number;
}

export interface RootField extends FieldInfo {
  key: string;
  isNonNull: boolean;
  resolve(run: Run): unknown;
  complete: Complete;
}

export interface CompiledOperation {
  isSerial: boolean;
  /** In the order of the document. Introspection is not among them. */
  fields: readonly RootField[];
}

/** Most documents are not worth code of their own: those that come once, and those that ask for little. */
const rowsToGenerate = 500;

/** Resolvers that read the JSON field of their own name, and give a text as it is. */
export const plainReads = new WeakSet<object>([defaultFieldResolver]);

/** Undefined for an operation that asks for the schema itself. */
export function compile(parts: Source): CompiledOperation | undefined {
  const source: Compilation = { ...parts, fields: 0 };
  const { schema, operation } = source;
  const type = schema.getRootType(operation.operation) as GraphQLObjectType;
  const fields: RootField[] = [];
  for (const [key, nodes] of collectFields(source, type, [operation.selectionSet])) {
    const site = siteOf(source, type, key, nodes);
    if (!site) return undefined;
    fields.push(site);
  }
  return { isSerial: operation.operation === 'mutation', fields };
}

function siteOf(
  source: Compilation,
  type: GraphQLObjectType,
  key: string,
  nodes: readonly FieldNode[],
): RootField | undefined {
  const [node] = nodes as [FieldNode];
  const isTypename = node.name.value === '__typename';
  const definition = isTypename ? TypeNameMetaFieldDef : type.getFields()[node.name.value];
  if (!definition) return undefined;
  const info: FieldInfo = {
    fieldName: definition.name,
    fieldNodes: nodes,
    returnType: definition.type,
    parentType: type,
    slot: source.fields++,
  };
  const resolve = definition.resolve ?? defaultFieldResolver;
  const argumentsOf = argumentReader(source, definition, node);
  return {
    ...info,
    key,
    isNonNull: isNonNullType(definition.type),
    resolve: (run) => resolve(undefined, argumentsOf(run), run.context, run.rootInfo(info, key)),
    complete: completeFor(definition.type, info, (objectType) => objectReader(source, objectType, nodes)),
  };
}

function objectReader(source: Compilation, type: GraphQLObjectType, parents: readonly FieldNode[]): ReadObject {
  const sets = parents.flatMap(({ selectionSet }) => selectionSet ?? []);
  const fields = [...collectFields(source, type, sets)].map(([key, nodes]) => fieldReader(source, type, key, nodes));
  // An assignment to this key would set the prototype.
  const isSafe = fields.every(({ key }) => key !== '__proto__');
  let rows = 0;
  let generated: ReadObject | undefined;
  return (value, run) => {
    if (generated) return generated(value, run);
    rows += 1;
    if (rows === rowsToGenerate) generated = generateReader(fields);
    const object: Record<string, unknown> = isSafe ? {} : Object.create(null);
    for (const { key, read } of fields) object[key] = read(value as Record<string, unknown>, run);
    return object;
  };
}

function fieldReader(
  source: Compilation,
  type: GraphQLObjectType,
  key: string,
  nodes: readonly FieldNode[],
): FieldReader {
  const [node] = nodes as [FieldNode];
  const name = node.name.value;
  if (name === '__typename') return { key, name, read: () => type.name, isText: false };
  const definition = type.getFields()[name] as GraphQLField<unknown, unknown>;
  const info: FieldInfo = {
    fieldName: name,
    fieldNodes: nodes,
    returnType: definition.type,
    parentType: type,
    slot: source.fields++,
  };
  const resolve = definition.resolve ?? defaultFieldResolver;
  const argumentsOf = argumentReader(source, definition, node);
  const complete = completeFor(definition.type, info, (objectType) => objectReader(source, objectType, nodes));
  const isNonNull = isNonNullType(definition.type);
  const read: ReadField = (row, run) => {
    const { path } = run;
    const depth = path.push(key);
    let completed: unknown;
    try {
      completed = complete(resolve(row, argumentsOf(run), run.context, run.info(info)), run);
    } catch (error) {
      path.length = depth;
      completed = run.fail(error, nodes, isNonNull);
    }
    path.pop();
    return completed;
  };
  const isPassed = plainReads.has(resolve) && definition.args.length === 0 ? passes(definition.type) : undefined;
  if (!isPassed) return { key, name, read, isText: false };
  const readPlainly: ReadField = (row, run) => {
    // A text has a length too, but it is no JSON field.
    if (typeof row !== 'object') return read(row, run);
    const value = row[name];
    if (isPassed(value)) return value;
    return (value === null || value === undefined) && !isNonNull ? null : read(row, run);
  };
  return { key, name, read: readPlainly, isText: isPassed('') };
}

const noArguments = Object.freeze({});

function argumentReader(
  { operation }: Source,
  definition: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (run: Run) => Record<string, unknown> {
  if (definition.args.length === 0) return () => noArguments;
  const read = (run: Run) => getArgumentValues(definition, node, run.parts.variableValues);
  if (operation.operation !== 'query' || hasVariables(node)) return read;
  let constant: Record<string, unknown> | undefined;
  return (run) => {
    constant ??= read(run);
    return constant;
  };
}

function hasVariables({ arguments: nodes = [] }: FieldNode): boolean {
  let isVariable = false;
  const Variable = () => {
    isVariable = true;
    return BREAK;
  };
  for (const node of nodes) visit(node, { Variable });
  return isVariable;
}

/** The fields of a selection on an object type by response key, merged as the GraphQL specification says (6.3.2). */
export function collectFields(
  { schema, fragments, variableValues }: Source,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): Map<string, FieldNode[]> {
  const fields = new Map<string, FieldNode[]>();
  const visited = new Set<string>();
  const applies = (condition: string | undefined): boolean => {
    if (condition === undefined || condition === type.name) return true;
    const named = schema.getType(condition);
    return isAbstractType(named) && schema.isSubType(named, type);
  };
  const collect = (set: SelectionSetNode): void => {
    for (const node of set.selections) {
      if (node.directives?.length) {
        if (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if === true) continue;
        if (getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if === false) continue;
      }
      if (node.kind === 'Field') {
        const key = (node.alias ?? node.name).value;
        const known = fields.get(key);
        if (known) known.push(node);
        else fields.set(key, [node]);
      } else if (node.kind === 'InlineFragment') {
        if (applies(node.typeCondition?.name.value)) collect(node.selectionSet);
      } else if (!visited.has(node.name.value)) {
        visited.add(node.name.value);
        const fragment = fragments[node.name.value];
        if (fragment && applies(fragment.typeCondition.name.value)) collect(fragment.selectionSet);
      }
    }
  };
  for (const set of sets) collect(set);
  return fields;
}
