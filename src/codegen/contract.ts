import { readFileSync } from 'node:fs';
import {
  ContractError,
  type OpenApi,
  type Operation,
  openApiFile,
  type Parameter,
  parseOpenApi,
  type ReferenceOptions,
  type Schema,
} from './openapi.ts';

type Properties = Record<string, Schema>;

export interface Endpoint {
  /** Place in the document, such as `paths./supply-chains/farmers/.get`. */
  at: string;
  name: string;
  /** Field of Query or Mutation. */
  rootField: string;
  does: 'list' | 'get' | 'write';
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  description: string;
  /** Type of the resource that it answers; of a list, of its rows. */
  kind: string;
  /** Parameter of the path. */
  id: Parameter | undefined;
  /** Query parameters but for `limit` and `offset`. */
  filters: Parameter[];
  /** Schema of a JSON body, and the type of the input that stands for it. */
  body: { schema: string; input: string; description: string } | undefined;
  /** Parts of a multipart body. */
  files: [name: string, schema: Schema][];
  /** Schema of the answer. */
  response: string;
  /** Pattern such as `2XX`. */
  status: string;
  responseDescription: string;
  /** List of what has no GET by id: who needs one object looks through the list. */
  isCached: boolean;
  invalidates: string[];
  cost: Operation['x-cost'];
}

export interface Reference extends ReferenceOptions {
  list?: true;
  /** The GET by id gives the object, where other answers give its id. */
  expandedById?: true;
}

/** A type of the graph that shows objects of the service. */
export interface ResourceType {
  name: string;
  schemas: string[];
  /** Properties of all its schemas. If two have a property, the form of the first counts. */
  properties: Properties;
  references: Record<string, Reference>;
  /** Property → type of the objects that it embeds. */
  embedded: Record<string, string>;
}

export interface Contract {
  endpoints: Endpoint[];
  types: Map<string, ResourceType>;
  /** Input types of the graph → their schemas. */
  inputs: Map<string, string>;
  /** Types that `Entity` stands for. */
  entityTypes: string[];
  schemas: OpenApi['components']['schemas'];
}

const methods = ['get', 'post', 'patch'] as const;
const jsonType = 'application/json';

export function readContract(): Contract {
  return contractOf(parseOpenApi(readFileSync(openApiFile, 'utf8')));
}

/** @throws ContractError that names the YAML path of every mistake. */
export function contractOf({ paths, components }: OpenApi): Contract {
  const { schemas } = components;
  const mistakes: string[] = [];
  const endpoints = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation ? endpointOf(path, method, operation, [...(item.parameters ?? [])]) : [];
    }),
  );
  for (const endpoint of endpoints) {
    const { does, kind } = endpoint;
    endpoint.isCached = does === 'list' && !endpoints.some((other) => other.does === 'get' && other.kind === kind);
  }
  const entityTypes = (schemas.Entity?.oneOf ?? []).flatMap(({ $ref }) => ($ref ? typeOf($ref) : []));
  const types = new Map<string, ResourceType>();
  for (const { response, does, kind } of endpoints) addType(does === 'list' ? kind : response);
  for (const type of types.values()) addReferences(type);
  const contract = { endpoints, types, inputs: inputs(), entityTypes, schemas };
  checkInvalidations();
  checkSchemas();
  if (mistakes.length > 0) throw new ContractError(mistakes);
  return contract;

  function named(name: string, at: string): Schema {
    const schema = schemas[name];
    if (schema?.$ref) return named(schema.$ref, at);
    if (!schema) mistakes.push(`${at}: no schema ${name}`);
    return schema ?? {};
  }

  function typeOf(schema: string): string {
    return schemas[schema]?.['x-type'] ?? schema;
  }

  function endpointOf(
    path: string,
    method: (typeof methods)[number],
    operation: Operation,
    shared: NonNullable<Operation['parameters']>,
  ): Endpoint {
    const at = `paths.${path}.${method}`;
    const parameters = [...shared, ...(operation.parameters ?? [])].flatMap((parameter) => {
      if (!('$ref' in parameter)) return parameter;
      const found = components.parameters[parameter.$ref.split('/').at(-1) ?? ''];
      if (!found) mistakes.push(`${at}.parameters: no parameter ${parameter.$ref}`);
      return found ?? [];
    });
    const [[status, response] = []] = Object.entries(operation.responses);
    const schema = response?.content[jsonType]?.schema.$ref ?? '';
    const rows = named(schema, `${at}.responses`).properties?.results?.items?.$ref;
    const id = parameters.find((parameter) => parameter.in === 'path');
    const does = method !== 'get' ? 'write' : rows ? 'list' : 'get';
    if (does === 'get' && !id) mistakes.push(`${at}: a GET answers a page of \`results\`, or one object by its id`);
    const content = operation.requestBody?.content ?? {};
    const body = jsonType in content ? content[jsonType]?.schema.$ref : undefined;
    const form = 'multipart/form-data' in content ? content['multipart/form-data']?.schema : undefined;
    return {
      at,
      name: operation.operationId,
      rootField: does === 'write' ? operation.operationId : rootFieldOf(operation.operationId),
      does,
      method: method.toUpperCase() as Endpoint['method'],
      path,
      description: operation.description,
      kind: typeOf(rows ?? schema),
      id,
      filters: parameters.filter(({ in: at, name }) => at === 'query' && name !== 'limit' && name !== 'offset'),
      body: body && {
        schema: body,
        input: method === 'patch' ? `Update${body.replace(/Patch$/, 'Input')}` : `Create${inputOf(body)}`,
        description: operation.requestBody?.description ?? '',
      },
      files: Object.entries(form?.properties ?? {}),
      response: schema,
      status: status ?? '',
      responseDescription: response?.description ?? '',
      isCached: false,
      invalidates: operation['x-invalidates'] ?? [],
      cost: operation['x-cost'],
    } as Endpoint;
  }

  /** Adds the type of a schema, and the types that it embeds. */
  function addType(schema: string): void {
    const name = typeOf(schema);
    const type = types.get(name) ?? { name, schemas: [], properties: {}, references: {}, embedded: {} };
    if (type.schemas.includes(schema)) return;
    types.set(name, type);
    // The schema of the same name comes first, whatever answers it.
    type.schemas = schema === name ? [schema, ...type.schemas] : [...type.schemas, schema];
    if (name !== schema) addType(name);
    type.properties = Object.assign({}, ...type.schemas.toReversed().map((each) => propertiesOf(each)));
    for (const property of Object.values(propertiesOf(schema))) {
      const embedded = embeddedIn(property);
      if (embedded) addType(embedded);
    }
  }

  function propertiesOf(schema: string): Properties {
    return named(schema, `components.schemas.${schema}`).properties ?? {};
  }

  function addReferences(type: ResourceType): void {
    const twins = new Set<string>();
    for (const [field, property] of Object.entries(type.properties)) {
      const found = referenceOf(type, field, property);
      if (found) type.references[field] = found;
      if (found?.details) twins.add(found.details);
    }
    for (const [field, property] of Object.entries(type.properties)) {
      const embedded = embeddedIn(property);
      if (embedded && !twins.has(field) && !type.references[field]) type.embedded[field] = typeOf(embedded);
    }
  }

  /** Undefined for what is no reference, and for ids of what the service neither gives nor embeds. */
  function referenceOf({ schemas: forms }: ResourceType, field: string, property: Schema): Reference | undefined {
    const options = (property.items ?? property)['x-reference'];
    if (!options) return undefined;
    const otherForms = forms.map((schema) => propertiesOf(schema)[field]).filter((form) => form !== undefined);
    const isExpanded = property.$ref === undefined && otherForms.some(({ $ref }) => $ref !== undefined);
    const isPartial = otherForms.some(({ properties }) => properties !== undefined);
    const reference: Reference = {
      ...options,
      ...(property.items && { list: true }),
      ...(isExpanded && { expandedById: true }),
      ...(isPartial && { mayBeEmbedded: true }),
    };
    const { to, details, within, noIdField, expandedById, mayBeEmbedded } = reference;
    const isGiven = to === 'Entity' || endpoints.some(({ does, kind }) => does !== 'write' && kind === to);
    return isGiven || details || within || noIdField || expandedById || mayBeEmbedded ? reference : undefined;
  }

  function inputs(): Map<string, string> {
    const found = new Map<string, string>();
    const add = (input: string, schema: string) => {
      found.set(input, schema);
      for (const property of Object.values(propertiesOf(schema))) {
        const nested = embeddedIn(property);
        if (nested) add(inputOf(nested), nested);
      }
    };
    for (const { body } of endpoints) if (body) add(body.input, body.schema);
    return found;
  }

  function checkInvalidations(): void {
    for (const { at, invalidates } of endpoints) {
      for (const name of invalidates) {
        const list = endpoints.find((endpoint) => endpoint.name === name);
        if (!list?.isCached) mistakes.push(`${at}.x-invalidates: ${name} is no list that is cached`);
      }
    }
  }

  function checkSchemas(): void {
    const pages = endpoints.filter(({ does }) => does === 'list').map(({ response }) => response);
    const answers = [...types.values()].flatMap((type) => type.schemas);
    for (const [names, required] of [
      [pages, 'count,results'],
      [answers, 'id'],
    ] as const) {
      for (const name of names) {
        const given = named(name, '').required ?? [];
        if (String(given) !== required) mistakes.push(`components.schemas.${name}.required: must be [${required}]`);
      }
    }
    for (const { schemas: forms } of types.values()) for (const form of forms) checkProperties(form, forms[0] ?? form);
    for (const schema of contract.inputs.values()) checkProperties(schema, schema.replace(/(Write|Patch)$/, ''));
  }

  /** A property is the same in all schemas of a type, but for objects in place of their ids. */
  function checkProperties(schema: string, first: string): void {
    const properties = propertiesOf(schema);
    for (const [field, property] of Object.entries(properties)) {
      const at = `components.schemas.${schema}.properties.${field}`;
      const options = (property.items ?? property)['x-reference'];
      if (options && !(options.to in schemas)) mistakes.push(`${at}.x-reference.to: no schema ${options.to}`);
      for (const other of [options?.details, options?.within, ...(options?.loadAfter ?? [])]) {
        if (other && !(other in properties)) mistakes.push(`${at}.x-reference: ${schema} has no property ${other}`);
      }
      if (options?.probeFirst && !entityTypes.includes(options.probeFirst))
        mistakes.push(`${at}.x-reference.probeFirst: ${options.probeFirst} is no Entity`);
      const same = propertiesOf(first)[field];
      if (same && !embeddedIn(property) && !property.properties && plain(property) !== plain(same))
        mistakes.push(`${at}: differs from components.schemas.${first}.properties.${field}`);
    }
  }
}

export function inputOf(schema: string): string {
  return schema.replace(/Write$/, 'Input');
}

/** Schema of the objects that a property holds, alone or in a list. */
export function embeddedIn({ $ref, items }: Schema): string | undefined {
  return items?.$ref ?? $ref;
}

/** `listEntityCards` → `entityCards`, `getFarmer` → `farmer`. */
function rootFieldOf(name: string): string {
  const noun = name.replace(/^(list|get)/, '');
  return noun.charAt(0).toLowerCase() + noun.slice(1);
}

/** The part of a property that describes its values. */
function plain({ description: _description, readOnly: _readOnly, ...schema }: Schema): string {
  return JSON.stringify(schema, (key, value) => (key === 'x-reference' ? value.to : value));
}
