import type { Union } from '../data.ts';
import type { Reference } from '../reference.ts';
import { argumentOf, type Contract, conditionOf, type Endpoint, isWhole, type ResourceType } from './contract.ts';
import type { ContractPart } from './contract-part.ts';
import { idPattern, idPatternOf, numberIdsIn } from './ids.ts';
import { lackedBy } from './lacks.ts';
import { enumFields, rawFieldOf, unknownValue } from './open-enums.ts';
import { type Parameter, type Schema, schemaNamed } from './openapi.ts';
import { fieldsOfParts } from './schema.ts';
import { shapesOf } from './shapes.ts';
import { waysBackOf } from './ways-back.ts';

/** The text of a module: all that the gateway knows of the service, as data. `source`: the OpenAPI document. */
export function contractModule(contract: Contract, source: string, parts: readonly ContractPart[]): string {
  const { endpoints, types, unions, schemas, dialects, wire, key } = contract;
  const endpointData = endpoints.map((endpoint) => [endpoint.name, dataOf(endpoint, contract)]);
  const all = [...types.values()];
  const { dialects: declared, ...words } = wire;
  const traits = Object.entries(declared).map(([name, dialect]) => ({ name, ...dialect }));
  const shown = [...all, ...[...unions.values()].map((union) => unknownKind(all, union))];
  const kinds = Object.fromEntries(
    all.map(({ name }) => [name, { ...readsOf(name, endpoints), id: idPatternOf(name, contract) }]),
  );
  const references = {
    ...Object.fromEntries(shown.map((type) => [type.name, type.references])),
    ...Object.assign({}, ...parts.map((part) => part.references?.(contract))),
  };
  const embedded = Object.fromEntries(all.map(({ name, embedded }) => [name, embedded]));
  const enums = byType(all, ({ properties }) => enumFields(properties));
  const partData = parts.flatMap(({ name, dataOf }) => (dataOf ? [[name, dataOf(contract)]] : []));
  return `// Written by \`npm run codegen\` from ${source}; not to be edited.

/** By type and field. */
type Table<Value> = Readonly<Record<string, Readonly<Record<string, Value>>>>;

/** The endpoints of the REST service, in the order of the document. */
export const endpoints = ${text(Object.fromEntries(endpointData))} as const;

/** Types of the graph that show objects of the service, with the endpoints that give one by id and a list of them, and the pattern of ids. */
export const kinds = ${text(kinds)} as const;

/** Kinds that a reference does not tell apart, by the name that stands for them. */
export const unions = ${text(Object.fromEntries(unions))} as const;

/** References by the type and the field that hold them. */
export const references = ${text(references)} as const;

/** Types of the objects whose ids an input takes, by the type of the input and the field. */
export const inputReferences: Table<string> = ${text(inputReferences(contract))};

/** Fields that show the rows of a list that refer to the object, by the type and the name of the field. */
export const waysBack = ${text(waysBackByType(contract))} as const;

/** Types of the objects that REST always embeds, by the type and the field that hold them. */
export const embedded = ${text(embedded)} as const;

/** Properties that embedded objects inherit from the row, by the type and the field that hold them: each with that of the row. */
export const inherited = ${text(valuesOf(all, 'x-inherits'))} as const;

/** Fields with an enum, by type. Beside each field \`x\` stands \`x_raw\`. */
export const enums = ${text(enums)} as const;

/** Shown for each text of the service that its enum lacks. */
export const unknownValue = '${unknownValue}';

/** Fields that hold the URL of a file, by type. */
export const mediaFields: Readonly<Record<string, readonly string[]>> = ${text(mediaFields(shown))};

/** Fields whose value is made of other properties: one property of each list must be known. */
export const requiredKeys: Table<readonly (readonly string[])[]> = ${text(requiredKeys(all, schemas))};

/** Schemas of answers: \`string\`, \`number\`, \`integer\`, \`boolean\`, \`date-time\`, \`number-id\` (shown as a text), \`json\` (any value), \`A|B\` of an enum, another schema, \`[]\` after it a list. */
export const shapes: Table<string> = ${text(shapesOf(contract))};

/** Properties that hold the ids of objects, by schema and the name of the object. */
export const idProperties: Table<string> = ${text(idPropertyNames(contract))};

/** Fields that only services of a dialect have, by type. */
export const onlyIn: Table<string> = ${text(valuesOf(all, 'x-only-in'))};

/** Differences of a dialect by field, and by schema or the property that embeds it: \`absent\`, other types, values of an enum. */
export const differences: Readonly<Record<string, Table<readonly string[]>>> = ${text(dialects)};

/** The words of the service for a page and an error. */
export const wire = ${text(words)} as const;

/** The dialects of the service. The first one is supposed until answers show another. */
export const dialects = ${text(traits)} as const;

/** The header of the API key. Services fail on JSON Web Tokens without these claims. */
export const key: { header: string; claims: readonly string[]; signIn?: { header: string; value: string } } = ${text(key)};

/** Fields that parts add to the types of the service, and to Query. */
export const partFields = ${text(fieldsOfParts(contract, parts))} as const;

/** The data of the parts that extend the contract. */
export const parts: Readonly<Record<string, unknown>> = ${text(Object.fromEntries(partData))};
`;
}

function text(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

/** JSON leaves out what is undefined. */
function dataOf(endpoint: Endpoint, contract: Contract) {
  const { schemas } = contract;
  const { does, rootField, method, path, kind, response, dialect, status, time, sends, provesKey, cost } = endpoint;
  const { id, filters, invalidates, body } = endpoint;
  const [file] = endpoint.files;
  const byArgument = (of: (filter: Parameter) => unknown) =>
    ifAny(Object.fromEntries(filters.map((filter) => [argumentOf(filter), of(filter)])));
  return {
    ...{ does, rootField, method, path, idPattern: id && idPattern(id.schema), kind, response, dialect },
    creates: status === '201' || undefined,
    answersNothing: endpoint.answersNothing || undefined,
    filters: byArgument(({ name }) => name),
    filterChecks: byArgument((filter) => filterCheckOf(filter, (place) => isBoolean(contract, kind, place))),
    lacks: ifAny(lackedBy(endpoint, contract)),
    isCached: endpoint.isCached || undefined,
    time,
    isNewestFirst: endpoint.isNewestFirst || undefined,
    invalidates: ifAny(invalidates),
    ifUnchanged: conditionOf(endpoint),
    idArgument: id && argumentOf(id, 'id') !== 'id' ? argumentOf(id) : undefined,
    ...{ file: file?.[0], fileTypes: file?.[2], sends, provesKey, cost },
    otherForms: body && ifAny(otherFormsOf(schemaNamed(schemas, body.schema))),
    numberIds: body && ifAny(numberIdsIn(body.schema, schemas)),
  };
}

function otherFormsOf(body: Schema | undefined): Readonly<Record<string, string>> {
  const added = Object.entries(body?.['x-graphql-only'] ?? {});
  return Object.fromEntries(added.flatMap(([field, { otherFormOf }]) => (otherFormOf ? [[field, otherFormOf]] : [])));
}

function ifAny<Values extends object>(values: Values): Values | undefined {
  return Object.keys(values).length > 0 ? values : undefined;
}

/** How answers show whether the service applies each filter. */
function filterCheckOf(filter: Parameter, isBoolean: (place: string) => boolean) {
  const {
    schema,
    'x-only-in': dialect,
    'x-adds': adds,
    'x-shown-by': shownBy = adds ? [adds] : [],
    'x-compares': compares = usualCompare(filter, isBoolean),
  } = filter;
  return {
    dialect,
    compares,
    values: schema.enum ?? (compares === 'values' ? ['true', 'false'] : undefined),
    times: { date: 'date', 'date-time': 'iso' }[schema.format as 'date'],
    shownBy,
    otherName: filter['x-other-name'],
    checkedBy: filter['x-checked-by'],
    reorders: filter['x-reorders'],
    inPath: filter.in === 'path' ? idPattern(schema) : undefined,
  };
}

function usualCompare(filter: Parameter, isBoolean: (place: string) => boolean) {
  const { schema, in: place, 'x-adds': adds, 'x-shown-by': shownBy = [] } = filter;
  if (adds) return 'adds';
  if (schema['x-reference'] || place === 'path') return 'ids';
  if (schema.enum) return 'values';
  if (schema['x-scalar'] || schema.format?.startsWith('date')) return 'after';
  if (schema.type === 'integer' || schema.type === 'number') return 'numbers';
  if (schema.type !== 'boolean') return 'texts';
  return shownBy.some(isBoolean) ? 'values' : 'amounts';
}

/** `author.is_alive` is a property of the object `author`. */
function isBoolean(contract: Contract, kind: string, place: string): boolean {
  const [property = '', ...below] = place.split('.');
  const { embedded = {}, references = {}, properties = {} } = contract.types.get(kind) ?? {};
  if (below.length === 0) return [properties[property]?.type].flat().includes('boolean');
  return isBoolean(contract, embedded[property] ?? references[property]?.to ?? '', below.join('.'));
}

function readsOf(kind: string, endpoints: readonly Endpoint[]) {
  const own = endpoints.filter((endpoint) => endpoint.kind === kind);
  return {
    get: own.find(({ does }) => does === 'get')?.name,
    list: own.find((endpoint) => endpoint.does === 'list' && isWhole(endpoint))?.name,
  };
}

function waysBackByType(contract: Contract) {
  const found: Record<string, Record<string, object>> = {};
  for (const { type, endpoint, way } of waysBackOf(contract)) {
    const { field, description: _description, by, ...others } = way;
    const filter = endpoint.filters.find(({ name }) => name === by);
    const references = contract.types.get(endpoint.kind)?.references;
    const namesKind = way.of.some((property) => references?.[property]?.kindBy);
    found[type] = {
      ...found[type],
      [field]: {
        ...{ list: endpoint.name, ...others },
        ...(filter && { by: argumentOf(filter) }),
        ...(namesKind && { kind: type }),
      },
    };
  }
  return found;
}

/** An object of unknown kind shows the fields that all kinds of the union share. */
function unknownKind(types: readonly ResourceType[], { kinds, unknown }: Union): ResourceType {
  const [first, ...others] = types.filter(({ name }) => kinds.includes(name));
  // References of one form have the same fields in the graph.
  const formOf = ({ to, list, details, noIdField, objects }: Partial<Reference> = {}) =>
    String([to, list, details, noIdField, objects]);
  const isShared = (field: string) =>
    others.every(
      (type) => field in type.properties && formOf(type.references[field]) === formOf(first?.references[field]),
    );
  const shared = <Value>(values: Record<string, Value> = {}) =>
    Object.fromEntries(Object.entries(values).filter(([field]) => isShared(field)));
  return {
    name: unknown,
    schemas: [],
    properties: shared(first?.properties),
    references: shared(first?.references),
    embedded: {},
  };
}

function inputReferences({ inputs, schemas }: Contract) {
  const found = [...inputs].map(([input, schema]) => {
    const { properties = {}, 'x-graphql-only': added = {} } = schemaNamed(schemas, schema) ?? {};
    const references = Object.entries({ ...properties, ...added }).flatMap(([field, property]) => {
      const { 'x-reference': reference } = ('items' in property && property.items) || property;
      return reference ? [[field, reference.to]] : [];
    });
    return [input, Object.fromEntries(references)];
  });
  return Object.fromEntries(found);
}

function idPropertyNames({ idProperties }: Contract) {
  const named = [...idProperties].map(([schema, own]) => {
    return [schema, Object.fromEntries([...own].map(([name, { property }]) => [name, property]))];
  });
  return Object.fromEntries(named);
}

function mediaFields(types: readonly ResourceType[]) {
  return byType(types, ({ properties }) =>
    Object.keys(properties).filter((field) => properties[field]?.format === 'uri-reference'),
  );
}

function requiredKeys(types: readonly ResourceType[], schemas: Contract['schemas']) {
  return byType(types, ({ schemas: forms, properties }) => {
    const made = forms.flatMap((form) => Object.entries(schemas[form]?.['x-graphql-only'] ?? {}));
    return Object.fromEntries([
      ...made.map(([field, { keys = [] }]) => [field, keys] as const),
      ...enumFields(properties).map((field) => [rawFieldOf(field), [[field]]] as const),
    ]);
  });
}

/** The values of a key of properties. */
function valuesOf(types: readonly ResourceType[], key: 'x-inherits' | 'x-only-in') {
  return byType(types, ({ properties }) => {
    const values = Object.entries(properties).map(([name, property]) => [name, property[key]]);
    return Object.fromEntries(values.filter(([, value]) => value));
  });
}

function byType(types: readonly ResourceType[], of: (type: ResourceType) => object) {
  return Object.fromEntries(types.map((type) => [type.name, ifAny(of(type))]));
}
