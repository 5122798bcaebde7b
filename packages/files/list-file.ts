import {
  badRequest,
  codedError,
  type ExecutionArgs,
  type Field,
  type FieldTree,
  type Operation,
  ValidDocument,
} from '@gateway/base';
import { runOperation } from '@gateway/graphql-serve';
import { type PageArguments, type RequestContext, type RestService, rowFields } from '@gateway/rest-graph';
import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  GraphQLInt,
  type GraphQLObjectType,
  getArgumentValues,
  getNamedType,
  Kind,
  type NameNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type VariableDefinitionNode,
} from 'graphql';
import type { ErrorPath, ListWindow, RowPlace, RowSource } from './row-source.ts';

/** Names in the generated operation. No client can choose them, because names of GraphQL have no `$`. */
const firstName = name('$first');
const afterName = name('$after');
const placeName = name('$place');
const totalName = name('$total');

const allowed =
  'A file shows one list: an operation with one field, which selects `results` or `edges`. Ask for application/json instead, or for the list alone.';

/** The list of an operation, which a file shows window by window. */
export class ListFile implements RowSource {
  readonly operationName: string | undefined;
  readonly name: string;
  /** `results` or `edges`, with the fields of a row. */
  readonly rows: Field;
  readonly maxRows: number;
  readonly after: string | null;
  readonly #service: RestService;
  readonly #key: string;
  readonly #operation: Operation;
  readonly tree: FieldTree;
  readonly #variableValues: Record<string, unknown>;

  /**
   * @throws BAD_REQUEST (406) for an operation that is not one list.
   * @throws BAD_USER_INPUT for arguments that a file cannot follow.
   */
  constructor(service: RestService, { operation, tree, variableValues }: ExecutionArgs) {
    this.#service = service;
    const list = listOf(tree);
    this.operationName = operation.definition.name?.value;
    this.name = list.name;
    this.rows = rowsOf(list);
    const args = getArgumentValues(list.definition, list.nodes[0] as FieldNode, variableValues);
    const { first, limit, after } = checked(args as PageArguments);
    this.maxRows = first ?? limit ?? Number.POSITIVE_INFINITY;
    this.after = after ?? null;
    this.#key = list.key;
    this.#operation = windowOperation(operation, list);
    this.tree = this.#operation.tree(variableValues);
    this.#variableValues = variableValues;
  }

  /** @throws GraphQLError where the list itself has failed, or the window does not fit the limits. */
  async read(context: RequestContext, { first, after }: { first: number; after: string | null }): Promise<ListWindow> {
    const args = {
      operation: this.#operation,
      tree: this.tree,
      variableValues: { ...this.#variableValues, [firstName.value]: first, [afterName.value]: after },
      contextValue: context,
      answer: context.answer,
    };
    this.#service.admit(args, context);
    const { data, errors: failures = [] } = await runOperation(this.#service, args, context);
    const errors = [...failures, ...context.errors.list];
    const list = data?.[this.#key] as Record<string, unknown> | null | undefined;
    const rows = list?.[this.rows.key] as unknown[] | null | undefined;
    if (!list || !rows) throw errors[0];
    const { endCursor, hasNextPage } = list[placeName.value] as { endCursor: string | null; hasNextPage: boolean };
    return { rows, errors, cursor: endCursor, hasNext: hasNextPage, total: list[totalName.value] as number };
  }

  rowAt([, , index, ...path]: ErrorPath): RowPlace | undefined {
    return typeof index === 'number' ? { index, path } : undefined;
  }
}

function listOf({ definition, fields }: FieldTree): Field {
  const [list, ...others] = fields;
  const type = list && getNamedType(list.definition.type);
  const isList = definition.operation === 'query' && type?.name.endsWith('Connection');
  if (list && isList && others.length === 0) return list;
  throw badRequest(allowed, 406);
}

function rowsOf(list: Field): Field {
  const { fields } = list.select(getNamedType(list.definition.type) as GraphQLObjectType);
  const [rows, ...others] = fields.filter(({ name }) => rowFields.has(name));
  if (rows && others.length === 0) return rows;
  throw badRequest(allowed, 406);
}

function checked(args: PageArguments): PageArguments {
  const refuse = (argument: keyof PageArguments, message: string): never => {
    throw codedError('BAD_USER_INPUT', message, { fields: [{ path: [argument], message }], http: { status: 400 } });
  };
  for (const argument of ['last', 'before'] as const) {
    if (args[argument] != null)
      refuse(argument, `A file goes forwards: give \`first\` and \`after\`, not \`${argument}\`.`);
  }
  if (args.offset) refuse('offset', 'A file goes on from a row, not from a number: give `after`, not `offset`.');
  if (args.limit != null && (args.first != null || args.after != null)) {
    refuse('limit', '`limit` cannot be used together with cursors: give `first`.');
  }
  for (const argument of ['first', 'limit'] as const) {
    if ((args[argument] ?? 0) < 0) refuse(argument, `\`${argument}\` cannot be negative.`);
  }
  return args;
}

/**
 * The operation with one field, whose page arguments are variables. The field also selects the place after its rows, and the
 * length of the list, which each page has.
 */
function windowOperation({ document, definition }: Operation, list: Field): Operation {
  const place = [
    fieldNode('pageInfo', placeName, [fieldNode('endCursor'), fieldNode('hasNextPage')]),
    fieldNode('count', totalName),
  ];
  const selections = list.nodes.map((node, index) => ({
    ...node,
    // The request meets the conditions of @skip and @include.
    directives: [],
    arguments: windowArguments(node),
    selectionSet: {
      kind: Kind.SELECTION_SET,
      selections: selectionsOf(node).concat(index === 0 ? place : []),
    } as const,
  }));
  const windows: OperationDefinitionNode = {
    ...definition,
    variableDefinitions: [...(definition.variableDefinitions ?? []), variableDefinition],
    selectionSet: { kind: Kind.SELECTION_SET, selections },
  };
  const fragments = document.node.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const node: DocumentNode = { kind: Kind.DOCUMENT, definitions: [windows, ...fragments] };
  return new ValidDocument(document.schema, node).operation(windows);
}

function selectionsOf({ selectionSet }: FieldNode): SelectionNode[] {
  return [...(selectionSet?.selections ?? [])];
}

const pageArguments = new Set(['first', 'after', 'last', 'before', 'limit', 'offset']);

function windowArguments({ arguments: given = [] }: FieldNode): ArgumentNode[] {
  return [
    ...given.filter((argument) => !pageArguments.has(argument.name.value)),
    argument('first', firstName),
    argument('after', afterName),
  ];
}

function name(value: string): NameNode {
  return { kind: Kind.NAME, value };
}

function argument(of: string, variable: NameNode): ArgumentNode {
  return { kind: Kind.ARGUMENT, name: name(of), value: { kind: Kind.VARIABLE, name: variable } };
}

function fieldNode(of: string, alias?: NameNode, selections: FieldNode[] = []): FieldNode {
  return {
    kind: Kind.FIELD,
    name: name(of),
    ...(alias && { alias }),
    ...(selections.length > 0 && { selectionSet: { kind: Kind.SELECTION_SET, selections } }),
  };
}

/** An operation with a variable has another estimate in each run. */
const variableDefinition: VariableDefinitionNode = {
  kind: Kind.VARIABLE_DEFINITION,
  variable: { kind: Kind.VARIABLE, name: firstName },
  type: { kind: Kind.NAMED_TYPE, name: name(GraphQLInt.name) },
};
