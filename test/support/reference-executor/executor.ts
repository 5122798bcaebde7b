import {
  buildSchema,
  execute,
  type FieldNode,
  type GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLNamedOutputType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLScalarType,
  GraphQLString,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isLeafType,
  isListType,
  parse,
  responsePathAsArray,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { traceability } from '../../../src/app.ts';
import { connectListPaths, connectResourcePaths, listPaths, resourcePaths } from '../rest-endpoints.ts';
import type { Row } from '../rest-reads.ts';
import { type Arguments, Refused, readConnection } from './connection.ts';
import { Failure, RestReader } from './rest-reader.ts';
import { readRows, waysBack } from './ways-back.ts';

export interface Expected {
  // biome-ignore lint/suspicious/noExplicitAny: whatever the document asks for
  data: any;
  errors: { path: (string | number)[]; code: string }[];
  /** Fields that an embedded object lacks and no GET gives; the gateway may have seen them elsewhere. */
  elsewhere: (string | number)[][];
  /** References whose GET fails, with their error. The data has the object, which the gateway may have seen elsewhere. */
  failing: Expected['errors'];
  /** Each call as often as it was made, an upper bound for the gateway. */
  calls: string[];
}

interface Context {
  service: RestReader;
  /** Errors that stand beside data. */
  extraErrors: Expected['errors'];
  elsewhere: Expected['elsewhere'];
  /** The service without its faults. */
  faultless: RestReader | undefined;
  failing: Expected['failing'];
}

type Resolver = GraphQLFieldResolver<Row, Context, Arguments>;

/**
 * Computes the answer that the gateway should give, the slow way. It reads each list in place, and each reference by one
 * GET, or two for an entity. For a kind without a GET it reads the whole list each time. It batches, shares and remembers
 * nothing, so that it cannot mix anything up. `faultlessUrl`: the same service without its faults.
 */
export async function executeSlowly(
  service: { url: string; key: string; faultlessUrl?: string },
  document: string,
  variables: Record<string, unknown> = {},
): Promise<Expected> {
  const { url, key, faultlessUrl } = service;
  const context: Context = {
    service: new RestReader(url, key),
    faultless: faultlessUrl === undefined ? undefined : new RestReader(faultlessUrl, key),
    extraErrors: [],
    elsewhere: [],
    failing: [],
  };
  const { data, errors = [] } = await execute({
    schema,
    document: parse(document),
    variableValues: variables,
    contextValue: context,
    fieldResolver,
  });
  const thrown = errors.map((error) => ({ path: [...(error.path ?? [])], code: codeOf(error) }));
  const { extraErrors, elsewhere, failing } = context;
  // Without the prototypes of graphql-js: as JSON has it.
  return {
    data: JSON.parse(JSON.stringify(data)),
    errors: [...thrown, ...extraErrors],
    elsewhere,
    failing,
    calls: context.service.calls,
  };
}

const schema = buildSchema(traceability.typeDefs);
Object.assign(schema.getType('DateTime') as GraphQLScalarType, {
  // Real deployments send unix seconds.
  serialize: (time: string) =>
    /^\d+$/.test(time) ? new Date(Number(time) * 1000).toISOString().replace('.000Z', 'Z') : time,
});
for (const type of Object.values(schema.getTypeMap())) {
  if (isEnumType(type) && !type.name.startsWith('__'))
    type.serialize = (value) => (type.getValue(String(value)) ? String(value) : 'UNKNOWN_VALUE');
}

/** Paths of the resources that the service gives as rows of a list alone, by type. */
const rowPaths: Record<string, string> = Object.fromEntries(
  Object.entries(listPaths).map(([field, path]) => {
    const connection = getNamedType(schema.getQueryType()!.getFields()[field]!.type) as GraphQLObjectType;
    return [getNamedType(connection.getFields().results!.type).name, path];
  }),
);

function codeOf({ originalError }: GraphQLError): string {
  if (originalError instanceof Refused) return 'BAD_USER_INPUT';
  if (originalError instanceof Failure) return originalError.code;
  // Not an answer, but a fault of the executor.
  throw originalError;
}

const fieldResolver: Resolver = (row, args, context, info) => {
  if (info.parentType.name === 'Query') return rootField(args, context, info);
  const way = waysBack[`${info.parentType.name}.${info.fieldName}`];
  if (way) return rowsBack(row, args, context, info);
  const special = specialFields[`${info.parentType.name}.${info.fieldName}`];
  const value = special
    ? special(row, args, context, info)
    : isLeafType(getNamedType(info.returnType))
      ? leaf(row, info)
      : objects(row, context, info);
  const isKnown = value !== undefined || info.parentType.name === 'UnknownEntity';
  if (!isKnown) context.elsewhere.push(responsePathAsArray(info.path));
  return value;
};

const specialFields: Record<string, Resolver> = {
  'FormField.localized_label': ({ label_en_us, label }) => label_en_us || label || null,
  'Farmer.name': ({ first_name, last_name }) => [first_name, last_name].filter(Boolean).join(' ') || null,
  'Product.premium_ids': ({ premiums }) =>
    typeof premiums === 'string' ? premiums.split(',').filter(Boolean) : (premiums as unknown),
  'Product.premium_details': ({ premiums }, _args, context, info) =>
    objectsOf(typeof premiums === 'string' ? premiums.split(',').filter(Boolean) : premiums, context, info),
  'Company.owned_premium_details': ({ owned_premiums }, _args, context, info) =>
    objectsOf(owned_premiums, context, info),
  'Product.active': ({ is_active }) => (is_active === undefined ? is_active : String(is_active) === 'true'),
  'User.current_policy_accepted': ({ policy_accepted }) =>
    policy_accepted === undefined ? policy_accepted : String(policy_accepted) === 'true',
  'PaymentTransaction.selected_option': (payment) => {
    const options = (payment.premium_details as { options: Row[] } | null)?.options ?? [];
    return options.find(({ id }) => id === payment.selected_option) ?? null;
  },
  // Real deployments leave out what a payment shares with its transaction. It goes the other way than the product.
  'ProductTransaction.transaction_payments': (transaction) =>
    (transaction.transaction_payments as Row[]).map((payment) => ({
      transaction: transaction.id,
      source: transaction.destination,
      destination: transaction.source,
      currency: transaction.currency,
      currency_details: transaction.currency_details,
      date: transaction.date,
      created_on: transaction.created_on,
      card: transaction.card_details ?? transaction.card,
      invoice_number: transaction.invoice_number,
      verification_latitude: transaction.verification_latitude,
      verification_longitude: transaction.verification_longitude,
      ...payment,
    })),
  'Company.forms': (company) => (company.forms as Row[] | undefined)?.map((form) => ({ owner: company.id, ...form })),
};

async function rootField(args: Arguments, { service }: Context, info: GraphQLResolveInfo): Promise<unknown> {
  const { fieldName } = info;
  const isLacking = fieldName in connectListPaths || getNamedType(info.returnType).name in connectResourcePaths;
  if (isLacking && !service.isConnect) throw new Refused();
  const list = listPaths[fieldName] ?? connectListPaths[fieldName];
  if (list) return readConnection(service, list, args);
  const found = await find(service, getNamedType(info.returnType), String(args.id));
  if (!found) throw new Failure('NOT_FOUND');
  return found;
}

/** Rows that refer to the object, or what the newest of them gives. The gateway may have to stop before it finds them. */
async function rowsBack(row: Row, args: Arguments, context: Context, info: GraphQLResolveInfo): Promise<unknown> {
  const way = waysBack[`${info.parentType.name}.${info.fieldName}`]!;
  const results = await readRows(context.service, way, row.id, args);
  if (!way.gives) return { results, complete: true, reason: null };
  context.failing.push({ path: responsePathAsArray(info.path), code: 'REFERENCE_UNRESOLVED' });
  const given = results[0]?.[way.gives];
  return given ? object(given, getNamedType(info.returnType), context, info) : null;
}

/** A leaf is what JSON holds under its name; `x_id` and `x_ids` are the ids of `x` and `xs`. */
function leaf(row: Row, { fieldName, returnType, parentType }: GraphQLResolveInfo): unknown {
  const parts = /^(.+)_id(s?)$/.exec(fieldName);
  const [, x, s] = parts ?? [];
  if (x && s && !(fieldName in row)) return (row[`${x}s`] as unknown[] | undefined)?.map(idOf);
  if (x && `${x}` in parentType.getFields()) return idOf(row[x] ?? row[`${x}_details`]);
  const value = row[fieldName.replace(/_raw$/, '')];
  return getNullableType(returnType) === GraphQLString && typeof value === 'object' && value !== null
    ? JSON.stringify(value)
    : value;
}

/** Objects: `x` is `x_details` where the service gives that too. */
function objects(row: Row, context: Context, info: GraphQLResolveInfo): unknown {
  const name = info.fieldName;
  const value = row[`${name}_details`] ?? row[name];
  // A page holds its rows.
  if (value === undefined || value === null || !('id' in row)) return value;
  const type = getNamedType(info.returnType);
  if (!isListType(getNullableType(info.returnType))) return object(value, type, context, info);
  return objectsOf(value, context, info);
}

function objectsOf(values: unknown, context: Context, info: GraphQLResolveInfo): unknown {
  if (!Array.isArray(values)) return values;
  return values.map((item, index) => object(item, getNamedType(info.returnType), context, info, index));
}

/** An object that the service cannot be asked for is what is embedded; any other is asked for. */
async function object(
  value: unknown,
  type: GraphQLNamedOutputType,
  { service, faultless, extraErrors, elsewhere, failing }: Context,
  info: GraphQLResolveInfo,
  index?: number,
): Promise<unknown> {
  if (typeof value === 'object' && !pathOf(service, type) && !isAbstractType(type)) return value;
  const id = idOf(value) as string;
  const isEnough = !asksForKind(info, type) && asksOnlyForId(info);
  const unknown = { __typename: isAbstractType(type) ? 'UnknownEntity' : type.name, id };
  const found = await find(service, type, id).catch((error: Failure) => error);
  if (found && !(found instanceof Failure)) return found;
  if (isEnough) return unknown;
  const isById = isAbstractType(type) || pathOf(service, type);
  const { code } = found ?? new Failure(isById ? 'REFERENCE_NOT_FOUND' : 'REFERENCE_UNRESOLVED');
  const path = [...responsePathAsArray(info.path), ...(index === undefined ? [] : [index])];
  if (!isById && type.name in connectResourcePaths) {
    elsewhere.push(path);
    return null;
  }
  const actual = faultless && (await find(faultless, type, id));
  if (actual) {
    failing.push({ path, code });
    return actual;
  }
  if (!isAbstractType(type) || code !== 'REFERENCE_NOT_FOUND') throw new Failure(code);
  if (!asksOnlyForId(info)) extraErrors.push({ path, code });
  return unknown;
}

async function find(service: RestReader, type: GraphQLNamedOutputType, id: string): Promise<Row | undefined> {
  if (isAbstractType(type)) {
    const farmer = await service.one(resourcePaths.Farmer, id);
    if (farmer) return { ...farmer, __typename: 'Farmer' };
    const company = await service.one(resourcePaths.Company, id);
    return company && { ...company, __typename: 'Company' };
  }
  const path = pathOf(service, type);
  if (path) return service.one(path, id);
  const list = rowPaths[type.name];
  return list ? service.inList(list, id) : undefined;
}

/** The path of the resources that the service gives by id. */
function pathOf({ isConnect }: RestReader, { name }: GraphQLNamedOutputType): string | undefined {
  return resourcePaths[name] ?? (isConnect ? connectResourcePaths[name] : undefined);
}

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? (value as Row).id : value;
}

/** Nothing is asked of a reference but its id and kind: no error then, if there is nothing behind it. */
function asksOnlyForId(info: GraphQLResolveInfo): boolean {
  return selectedBelow(info).every((node) => node.kind !== 'Field' || ['id', '__typename'].includes(node.name.value));
}

/** The answer depends on whether an entity is a farmer or a company. */
function asksForKind(info: GraphQLResolveInfo, type: GraphQLNamedOutputType): boolean {
  if (!isAbstractType(type)) return false;
  return selectedBelow(info).some((node) => {
    if (node.kind === 'Field') return node.name.value === '__typename';
    return ![undefined, type.name].includes(fragmentOf(node, info).typeCondition?.name.value);
  });
}

/** The fields and fragments below a field, those within fragments too. */
function selectedBelow(info: GraphQLResolveInfo): SelectionNode[] {
  const flatten = ({ selections }: SelectionSetNode): SelectionNode[] =>
    selections.flatMap((node) => {
      if (isLeftOut(node, info)) return [];
      return node.kind === 'Field' ? node : [node, ...flatten(fragmentOf(node, info).selectionSet)];
    });
  return info.fieldNodes.flatMap(({ selectionSet }) => flatten(selectionSet!));
}

const fragmentOf = (node: Exclude<SelectionNode, FieldNode>, info: GraphQLResolveInfo) =>
  node.kind === 'InlineFragment' ? node : info.fragments[node.name.value]!;

function isLeftOut({ directives }: SelectionNode, info: GraphQLResolveInfo): boolean {
  return (directives ?? []).some(({ name, arguments: [argument] = [] }) => {
    const value = argument?.value;
    const condition =
      value?.kind === 'Variable'
        ? info.variableValues[value.name.value]
        : value?.kind === 'BooleanValue' && value.value;
    return condition === (name.value === 'skip');
  });
}
