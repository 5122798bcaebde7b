import { readFileSync } from 'node:fs';
import type { Union } from '../data.ts';
import { mayBeObject, type Reference, rootFieldOf } from '../reference.ts';
import { isRunByBrowsers } from '../run-by-browsers.ts';
import { argumentOf, type Contract, type Endpoint, isWhole, type Properties, type ResourceType } from './contract.ts';
import { mistakesIn } from './contract-check.ts';
import { ContractError } from './contract-error.ts';
import type { ContractPart } from './contract-part.ts';
import { freeName, meaningOf } from './filters.ts';
import { inputOf, operationName } from './graph-names.ts';
import { evidenceAmong, nameAfterObjects, nameIn, wayBackAmong } from './id-properties.ts';
import { idPattern } from './ids.ts';
import { nameKinds } from './named-kinds.ts';
import { withOnlyIn } from './only-in.ts';
import { embeddedIn, type Operation, type Parameter, type PathItem, type Schema, schemaNamed } from './openapi.ts';
import { parseOpenApi } from './read-openapi.ts';

const methods = ['get', 'post', 'patch', 'put', 'delete'] as const;
const jsonType = 'application/json';

export function readContract(file: URL, parts: readonly ContractPart[]): Contract {
  return parseContract(readFileSync(file, 'utf8'), parts);
}

/** @throws ContractError that names the YAML path of every mistake. */
export function parseContract(text: string, parts: readonly ContractPart[]): Contract {
  const { paths, security, components, ...own } = parseOpenApi(text, parts);
  const { 'x-wire': wire, 'x-dialects': dialects = {} } = own;
  const { securitySchemes } = components;
  const schemas = { ...components.schemas };
  const mistakes: string[] = [];
  const { rows: rowsName, limit, offset, number = offset } = wire.page;
  const pageParameters = [limit, number].filter((name) => name !== undefined);
  const envelopes = Object.values(wire.dialects).flatMap(({ envelope }) => envelope ?? []);
  const partKeys = parts.flatMap((part) => Object.keys(part.keys ?? {}));
  const operations = Object.values(paths).flatMap((item) => methods.flatMap((method) => item[method] ?? []));
  const schemeNames = [...security, ...operations.flatMap((each) => each.security)].flatMap(Object.keys);
  const schemeName = schemeNames.find((name) => name in securitySchemes) ?? schemeNames[0] ?? '';
  const key = keyOf(schemeName);
  const typeOf = (schema: string) => schemas[schema]?.['x-type'] ?? schema;
  /** The schema of the rows, if this is that of a page. */
  const rowsOf = (schema: string) => schemaNamed(schemas, schema)?.properties?.[rowsName]?.items?.$ref;
  const endpoints = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => (item[method] ? endpointOf(path, method, item[method], item) : [])),
  );
  const isById = (kind: string) => endpoints.some((each) => each.does === 'get' && each.kind === kind);
  for (const each of endpoints) if (each.does === 'list' && isWhole(each) && !isById(each.kind)) each.isCached = true;
  for (const endpoint of endpoints.filter(({ does }) => does === 'write')) {
    // A write changes the list of its own kind, whatever else it changes.
    const own = endpoints.filter(({ isCached, kind }) => isCached && kind === endpoint.kind).map(({ name }) => name);
    endpoint.invalidates = [...new Set([...endpoint.invalidates, ...own])];
  }
  const kindsIn = (name: string) => (schemas[name]?.oneOf ?? []).flatMap(({ $ref }) => ($ref ? typeOf($ref) : []));
  const isGiven = (type: string) =>
    kindsIn(type).length > 0 || endpoints.some((each) => each.does !== 'write' && each.kind === type && isWhole(each));
  const bodies = endpoints.flatMap(({ body }) => body?.schema ?? []);
  const idProperties = nameAfterObjects(schemas, bodies, { isGiven, typeOf });
  for (const each of endpoints) {
    const row = rowsOf(each.response) ?? '';
    each.waysBack = each.waysBack.map((way) => wayBackAmong(idProperties, row, way));
    if (each.time !== undefined) each.time = nameIn([row], each.time, idProperties);
  }
  const unions = new Map<string, Union>(
    Object.entries(schemas).flatMap(([name, { 'x-unknown': unknown = '', 'x-evidence': shown = {} }]) => {
      const kinds = kindsIn(name);
      const lost = unknown ? kinds.filter((kind) => !isGiven(kind) || kindsIn(kind).length > 0) : [];
      mistakes.push(
        ...lost.map(
          (kind) =>
            `components.schemas.${name}.oneOf: no GET by id gives ${kind}, and no list without an id in its path`,
        ),
      );
      return kinds.length > 0 ? [[name, { name, kinds, unknown, evidence: evidenceAmong(idProperties, shown) }]] : [];
    }),
  );
  const types = new Map<string, ResourceType>();
  for (const { response, does, kind } of endpoints) addType(does === 'list' ? kind : response);
  for (const type of types.values()) addReferences(type);
  for (const { body, method } of endpoints) if (body) body.input = inputOf(body.schema, types, method);
  for (const union of unions.values()) nameKinds(union, types);
  const contract = {
    ...{ endpoints, types, unions, schemas, idProperties, wire, key },
    inputs: inputs(),
    schemeKeys: { ...securitySchemes[schemeName] },
    dialects: withOnlyIn(dialects, schemas, wire),
  };
  for (const endpoint of endpoints) {
    const meaning = (filter: Parameter) => filter.description || meaningOf(filter, endpoint.kind, contract);
    endpoint.filters = endpoint.filters.map((filter) => ({ ...filter, description: meaning(filter) }));
  }
  const ofParts = parts.flatMap((part) => part.mistakesIn?.(contract) ?? []);
  mistakes.push(...mistakesIn(contract), ...ofParts.map(withGraphName));
  if (mistakes.length > 0) throw new ContractError(new Set(mistakes));
  return contract;

  /** Keys of parts name properties as the graph does. */
  function withGraphName(mistake: string): string {
    const [, type = '', property = ''] = /: (\w+)(?:\.| has no property )(\w+)/.exec(mistake) ?? [];
    const name = nameIn(types.get(type)?.schemas ?? [], property, idProperties);
    return name === property ? mistake : `${mistake}; the graph calls it ${name}`;
  }

  function keyOf(name: string): Contract['key'] {
    const scheme = securitySchemes[name];
    const lack = name
      ? `.0.${name}: components.securitySchemes has no such scheme`
      : ': names no scheme with a header, such as `Key: { type: apiKey, in: header, name: X-Key }` of components.securitySchemes';
    if (!scheme) mistakes.push(`security${lack}`);
    const header = scheme?.type === 'apiKey' ? scheme.name : 'Authorization';
    const signIn = scheme?.['x-sign-in'];
    return {
      header,
      claims: scheme?.['x-claims'] ?? [],
      ...(signIn && { signIn: { ...signIn, header: signIn.header.toLowerCase() } }),
    };
  }

  function named(name: string, at: string): Schema {
    const schema = schemaNamed(schemas, name);
    if (!schema) mistakes.push(`${at}: no schema ${name}`);
    return schema ?? {};
  }

  /** The schema of the answer. That of an array is a page of its rows. */
  function answerOf({ responses }: Operation): string | undefined {
    const { $ref, ...inline } = insideOf(Object.values(responses)[0]?.content?.[jsonType]?.schema ?? {});
    const { items } = $ref ? (schemaNamed(schemas, $ref) ?? {}) : inline;
    const row = items?.$ref ?? inline.properties?.[rowsName]?.items?.$ref;
    if (!row) return $ref;
    const name = items ? `${row}[]` : `${row}{}`;
    schemas[name] = items ? { properties: { [rowsName]: { items } } } : inline;
    return name;
  }

  /** A document may have the envelope around an answer. An object with an id is none, and neither is a page. */
  function insideOf(schema: Schema): Schema {
    const { properties = {}, 'x-id': key = 'id' } = schemaNamed(schemas, schema.$ref ?? '') ?? schema;
    const [inside] = envelopes.flatMap(({ data }) => properties[data] ?? []);
    return inside && !properties[key] && !properties[rowsName]?.items ? inside : schema;
  }

  /** The schema of the rows of `/tags/`, for `/tags/{id}/`. */
  function rowsAbove(path: string): string {
    const { get } = paths[path.replace(/\/\{[^}]*\}(?=\/?$)/, '')] ?? {};
    return (get && rowsOf(answerOf(get) ?? '')) ?? '';
  }

  function endpointOf(path: string, method: (typeof methods)[number], operation: Operation, item: PathItem) {
    const at = `paths.${path}.${method}`;
    const all = [...(item.parameters ?? []), ...(operation.parameters ?? [])].flatMap((parameter) => {
      if (!('$ref' in parameter)) return parameter;
      const found = components.parameters[parameter.$ref.split('/').at(-1) ?? ''];
      if (!found) mistakes.push(`${at}.parameters: no parameter ${parameter.$ref}`);
      return found ?? [];
    });
    // Those of the operation stand in place of those of the path.
    const given = [...new Map(all.map((each) => [`${each.in} ${each.name}`, each])).values()];
    const [[status = '', response] = []] = Object.entries(operation.responses);
    const beside = (item.get && answerOf(item.get)) ?? '';
    const isDelete = method === 'delete';
    // A write may answer a message, or nothing.
    const answered = isDelete ? undefined : answerOf(operation) || (method === 'get' ? '' : undefined);
    const schema = answered ?? ((rowsOf(beside) ? '' : beside) || (isDelete ? rowsAbove(path) : ''));
    const rows = rowsOf(schema);
    const inPath = given.filter((parameter) => parameter.in === 'path');
    const { items, oneOf } = schema === '' ? { oneOf: [] } : named(schema, `${at}.responses`);
    if (isDelete && (schema === '' || inPath.length === 0)) {
      const needs = 'the id in its path of what the GET beside it or the list above it shows';
      mistakes.push(`${at}: a DELETE needs ${needs}; otherwise leave the endpoint out`);
      return [];
    }
    const isOfNone = method === 'get' ? !rows && inPath.length === 0 : rows;
    if (items || oneOf || schemas[rows ?? '']?.oneOf || isOfNone) {
      const advice = response?.content?.[jsonType]
        ? `its schema must be a $ref to one object, of a GET by its id or to a page: \`${rowsName}\` of one schema, and a count; or an array of one`
        : 'has no JSON, and the path has no GET that shows the object';
      mistakes.push(`${at}.responses.${status}: ${advice}; otherwise leave the endpoint out`);
      return [];
    }
    const places = String((path.match(/(?<=\{)[^}]*/g) ?? []).sort());
    const found = String(inPath.map(({ name }) => name).sort());
    if (places !== found) mistakes.push(`${at}.parameters: those in the path are [${found}], not [${places}]`);
    const does = method !== 'get' ? 'write' : rows ? 'list' : 'get';
    const [id, second] = does === 'list' ? [] : inPath;
    if (second) mistakes.push(`${at}: has several ids in its path; only a list may`);
    // The gateway does without what it cannot send.
    const fits = (each: Parameter) =>
      does === 'list' && /^query (?!array|object)/.test(`${each.in} ${each.schema.type}`);
    const sent = given
      .filter((each) => each.required || each.in === 'path' || fits(each))
      .map((each) => (each.join ? { 'x-argument': freeName(each.name), ...each } : each));
    // Some services have `tags` beside `tags[]`. The one without a list makes the argument.
    const first = sent.toSorted((one, other) => Number(one.join !== undefined) - Number(other.join !== undefined));
    const isTwin = (each: Parameter) => first.find((other) => argumentOf(other) === argumentOf(each)) !== each;
    const parameters = sent.filter((each) => !each.join || each.required || !isTwin(each));
    const lacking = pageParameters.filter(
      (name) => !parameters.some((each) => each.in === 'query' && each.name === name),
    );
    const unpaged = does === 'list' && lacking.length === pageParameters.length;
    if (does === 'list' && !unpaged && lacking.length > 0)
      mistakes.push(`${at}.parameters: a page is asked for by \`${pageParameters.join('` and `')}\``);
    const content = operation.requestBody?.content;
    const body = content && jsonType in content ? content[jsonType].schema.$ref : undefined;
    if (content && jsonType in content && !schemaNamed(schemas, body ?? '')?.properties)
      mistakes.push(`${at}.requestBody: its schema must be a $ref to an object with properties`);
    const form = content && 'multipart/form-data' in content ? content['multipart/form-data'] : undefined;
    const parts = (form?.schema.$ref ? named(form.schema.$ref, at) : form?.schema)?.properties ?? {};
    for (const [name, { contentType }] of Object.entries(form?.encoding ?? {})) {
      if (!parts[name]) mistakes.push(`${at}.requestBody: the encoding of ${name} is that of no property`);
      if (contentType.some(isRunByBrowsers))
        mistakes.push(`${at}.requestBody: ${name} cannot be ${contentType.join(', ')}, because browsers would run it`);
    }
    if (operation['x-newest-first'] && operation['x-row-time'])
      mistakes.push(`${at}.x-row-time: the list has x-newest-first; leave one of them out`);
    const kind = typeOf(rows ?? schema);
    const isWhole = method === 'post' ? rowsOf(beside) && !path.includes('{') : /\}\/?$/.test(path);
    const called = operation.operationId ?? `${method} ${path.replace(/\W+$/, '')}`;
    const name = operationName(called, does, isWhole ? method : '', kind);
    return {
      at,
      name,
      rootField: does === 'write' ? name : rootFieldOf(name.replace(/^(list|get)/, '')),
      does,
      method: method.toUpperCase() as Endpoint['method'],
      path,
      description: operation.description || operation.summary || `${method.toUpperCase()} ${path}`,
      isDeprecated: operation.deprecated,
      dialect: operation['x-only-in'],
      creates: status === '201' || undefined,
      kind,
      id,
      idPattern: id && idPattern(id.schema),
      idArgument: id && argumentOf(id, 'id') !== 'id' ? argumentOf(id) : undefined,
      filters: parameters.filter(({ in: at, name }) =>
        does === 'list' ? !pageParameters.includes(name) : at !== 'path',
      ),
      body: body && { schema: body, input: '', description: operation.requestBody?.description ?? '' },
      files: Object.entries(parts).map(([part, it]) => [part, it, form?.encoding?.[part]?.contentType]),
      response: schema,
      status,
      answersNothing: answered === undefined || undefined,
      responseDescription: response?.description || `A page of ${kind}.`,
      unpaged: unpaged || undefined,
      time: operation['x-newest-first'] ?? operation['x-row-time'],
      isNewestFirst: operation['x-newest-first'] !== undefined || undefined,
      waysBack: operation['x-ways-back'] ?? [],
      invalidates: operation['x-invalidates'] ?? [],
      ifUnchanged: operation['x-if-unchanged'],
      sends: operation['x-sends'],
      provesKey: operation['x-proves-key'],
      cost: operation['x-cost'],
      keys: Object.fromEntries(partKeys.map((key) => [key, operation[key as keyof Operation]])),
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
    const properties = type.schemas.toReversed().flatMap((each) => Object.entries(propertiesOf(each)));
    type.properties = Object.fromEntries(properties.filter(([, { writeOnly }]) => !writeOnly));
    for (const property of Object.values(propertiesOf(schema))) {
      const { to = '', mayBeEmbedded } = (property.items ?? property)['x-reference'] ?? {};
      // Some objects stand in others alone.
      const embedded = embeddedIn(property) ?? (mayBeEmbedded && !isGiven(to) && to in schemas ? to : undefined);
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
      ...((property.items || options.objects) && { list: true }),
      ...(isExpanded && { expandedById: true }),
      ...(isPartial && { mayBeEmbedded: true }),
      ...(schemas[options.to]?.['x-labelled-id'] && { labelled: true }),
    };
    return isGiven(reference.to) || mayBeObject(reference) ? reference : undefined;
  }

  function inputs(): Map<string, string> {
    const found = new Map<string, string>();
    const add = (input: string, schema: string) => {
      const first = found.get(input) ?? schema;
      if (first !== schema) mistakes.push(`components.schemas.${schema}: ${first} makes ${input} too; add x-type`);
      if (found.has(input)) return;
      found.set(input, schema);
      for (const property of Object.values(propertiesOf(schema))) {
        const nested = embeddedIn(property);
        if (nested) add(inputOf(nested, types), nested);
      }
    };
    for (const { body } of endpoints) if (body) add(body.input, body.schema);
    return found;
  }
}
