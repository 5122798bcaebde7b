import type { Union } from '../data.ts';
import type { Reference } from '../reference.ts';
import { argumentOf, type Contract, conditionOf, type Endpoint, isWhole, type ResourceType } from './contract.ts';
import type { ContractPart } from './contract-part.ts';
import { filterCheckOf } from './filters.ts';
import { idPatternOf, numberIdsIn } from './ids.ts';
import { lackedBy } from './lacks.ts';
import { enumFields, rawFieldOf, unknownValue } from './open-enums.ts';
import { type Parameter, type Schema, schemaNamed } from './openapi.ts';
import { fieldsOfParts } from './schema.ts';
import { shapesOf } from './shapes.ts';
import { waysBackOf } from './ways-back.ts';

/** The text of a module: all that the gateway knows of the service, as `ContractData`. `source`: the OpenAPI document. */
export function contractModule(contract: Contract, source: string, parts: readonly ContractPart[]): string {
  const { endpoints, types, unions, schemas, dialects: differences, key } = contract;
  const { dialects, ...wire } = contract.wire;
  const all = [...types.values()];
  const shown = [...all, ...[...unions.values()].map((union) => unknownKind(all, union))];
  const tables = {
    endpoints: Object.fromEntries(endpoints.map((endpoint) => [endpoint.name, dataOf(endpoint, contract)])),
    kinds: Object.fromEntries(
      all.map(({ name }) => [name, { ...readsOf(name, endpoints), id: idPatternOf(name, contract) }]),
    ),
    unions: Object.fromEntries(unions),
    references: {
      ...Object.fromEntries(shown.map((type) => [type.name, type.references])),
      ...Object.assign({}, ...parts.map((part) => part.references?.(contract))),
    },
    inputReferences: inputReferences(contract),
    waysBack: waysBackByType(contract),
    embedded: Object.fromEntries(all.map(({ name, embedded }) => [name, embedded])),
    inherited: valuesOf(all, 'x-inherits'),
    unknownValue,
    mediaFields: byType(shown, ({ properties }) =>
      Object.keys(properties).filter((field) => properties[field]?.format === 'uri-reference'),
    ),
    requiredKeys: requiredKeys(all, schemas),
    shapes: shapesOf(contract),
    idProperties: idPropertyNames(contract),
    onlyIn: valuesOf(all, 'x-only-in'),
    differences,
    wire,
    dialects: Object.entries(dialects).map(([name, dialect]) => ({ name, ...dialect })),
    key,
    // For tests: fields that parts add to the types of the service, and to Query.
    partFields: fieldsOfParts(contract, parts),
    parts: Object.fromEntries(parts.flatMap(({ name, dataOf }) => (dataOf ? [[name, dataOf(contract)]] : []))),
  };
  return [
    `// Written by \`npm run codegen\` from ${source}; not to be edited. \`ContractData\` describes each table.\n`,
    ...Object.entries(tables).map(
      ([name, table]) => `export const ${name} = ${JSON.stringify(table, undefined, 2)} as const;\n`,
    ),
  ].join('\n');
}

/** JSON leaves out what is undefined. */
function dataOf(endpoint: Endpoint, contract: Contract) {
  const { at: _at, name: _name, id: _id, body, files, keys: _keys, waysBack: _waysBack, ...others } = endpoint;
  const { description: _text, responseDescription: _answer, status: _status, isDeprecated: _mark, ...data } = others;
  const [file] = files;
  const byArgument = (of: (filter: Parameter) => unknown) =>
    ifAny(Object.fromEntries(endpoint.filters.map((filter) => [argumentOf(filter), of(filter)])));
  return {
    ...data,
    filters: byArgument(({ name }) => name),
    filterChecks: byArgument((filter) => filterCheckOf(filter, endpoint.kind, contract)),
    lacks: ifAny(lackedBy(endpoint, contract)),
    invalidates: ifAny(data.invalidates),
    ifUnchanged: conditionOf(endpoint),
    file: file?.[0],
    fileTypes: file?.[2],
    otherForms: body && ifAny(otherFormsOf(schemaNamed(contract.schemas, body.schema))),
    numberIds: body && ifAny(numberIdsIn(body.schema, contract.schemas)),
  };
}

function otherFormsOf(body: Schema | undefined): Readonly<Record<string, string>> {
  const added = Object.entries(body?.['x-graphql-only'] ?? {});
  return Object.fromEntries(added.flatMap(([field, { otherFormOf }]) => (otherFormOf ? [[field, otherFormOf]] : [])));
}

function ifAny<Values extends object>(values: Values): Values | undefined {
  return Object.keys(values).length > 0 ? values : undefined;
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
        list: endpoint.name,
        ...others,
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
