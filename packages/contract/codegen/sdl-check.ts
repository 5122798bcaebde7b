import {
  type DocumentNode,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isObjectType,
} from 'graphql';
import type { Union } from '../data.ts';
import { idFieldOf } from '../reference.ts';
import type { Contract, ResourceType } from './contract.ts';
import { ContractError } from './contract-error.ts';
import { enumOf, inputOf } from './graph-names.ts';
import { enumFields, rawFieldOf, unknownValue } from './open-enums.ts';
import { embeddedIn, type Schema, schemaNamed } from './openapi.ts';
import { scalarOf } from './sdl.ts';
import { waysBackOf } from './ways-back.ts';

/** A field of the graph that follows from the document, with the place there. */
interface Expected {
  at: string;
  type: string;
  schema?: Schema;
}

type Fields = Map<string, Expected>;

/** The types that the document needs in schema/*.graphql. */
function typesIn(contract: Contract): (readonly [keyword: string, name: string, fields: Fields])[] {
  const { types, inputs, unions } = contract;
  return [
    ...[...types].map(([name, type]) => ['type', name, fieldsOfResource(contract, type)] as const),
    ...[...inputs].map(([name, body]) => ['input', name, fieldsOfInput(contract, name, body)] as const),
    ...[...unions.values()].flatMap((union) => {
      const shared = sharedFields(contract, union);
      return [['interface', union.name, shared] as const, ['type', union.unknown, shared] as const];
    }),
  ];
}

/**
 * Finds the types and inputs that the OpenAPI document needs and schema/*.graphql lacks, before a schema can be built.
 * @throws ContractError with the SDL of each, for the reader to describe.
 */
export function checkTypes(contract: Contract, document: DocumentNode): void {
  const defined = new Set(document.definitions.flatMap((each) => ('name' in each ? each.name?.value : [])));
  const implemented = new Map(
    [...contract.unions.values()].flatMap(({ name, kinds, unknown }) =>
      [...kinds, unknown].map((kind) => [kind, ` implements ${name}`] as const),
    ),
  );
  const missing = typesIn(contract).filter(([, name]) => !defined.has(name));
  const ofFilters = contract.endpoints.flatMap(({ at, filters }) =>
    filters.flatMap(({ schema }) => (schema['x-type'] ? { at, type: schema['x-type'], schema } : [])),
  );
  const values = [...missing.flatMap(([, , fields]) => [...fields.values()]), ...ofFilters];
  const enums = values.filter(({ type }) => !defined.has(type.replace('!', '')));
  const asked = new Map([
    ...missing.map(([keyword, name, fields]): [string, string] => {
      const lines = [...fields].map(([field, expected]) => sdlOf(field, expected));
      return [`${keyword} ${name}`, `"…"\n${keyword} ${name}${implemented.get(name) ?? ''} {\n${lines.join('')}}\n`];
    }),
    ...enums.flatMap(missingEnum),
  ]);
  if (asked.size > 0) throw new ContractError([...asked].map(lackOf), [...asked.values()].join('\n'));
}

/**
 * Compares the types and inputs of schema/*.graphql with the OpenAPI document. A property `x` with an id becomes the object
 * `x` and the id `x_id`. A list `xs` of ids becomes `xs` and `x_ids`. Other properties keep their names.
 * @throws ContractError that names the YAML path of each missing field, and each field that the document lacks.
 */
export function checkSdl(contract: Contract, schema: GraphQLSchema): void {
  const mistakes: string[] = [];
  for (const [, name, fields] of typesIn(contract)) compare(name, fields);
  for (const { name, kinds, unknown } of contract.unions.values()) {
    for (const kind of [...kinds, unknown]) {
      const type = schema.getType(kind);
      if (isObjectType(type) && !type.getInterfaces().some((each) => each.name === name))
        mistakes.push(`components.schemas.${name}: type ${kind} in schema/*.graphql needs \`implements ${name}\``);
    }
  }
  if (mistakes.length > 0) throw new ContractError(new Set(mistakes));

  function compare(name: string, expected: Fields): void {
    const type = schema.getType(name);
    // The bounds of shared fields are those of each kind.
    const isBounded = contract.types.has(name) || contract.inputs.has(name);
    const fields: Record<string, GraphQLField<unknown, unknown> | GraphQLInputField> =
      type && 'getFields' in type ? type.getFields() : {};
    for (const [field, { at, type: expectedType, schema: property = {} }] of expected) {
      const given = fields[field];
      if (!given) {
        const sdl = sdlOf(field, { at, type: expectedType, ...(isBounded && { schema: property }) });
        mistakes.push(`${at}: schema/*.graphql has no field ${name}.${field}:\n\n${sdl}`);
        if (!schema.getType(expectedType))
          mistakes.push(...missingEnum({ at, type: expectedType, schema: property }).map(lackOf));
      } else if (property.enum) checkEnum(at, given, property.enum);
      else if (String(given.type) !== expectedType)
        mistakes.push(`${at}: ${name}.${field} is ${given.type} in schema/*.graphql, not ${expectedType}`);
      if (given && isBounded) checkBounds(at, `${name}.${field}`, given, property);
    }
    // The generator adds these fields.
    const made = new Set(enumFields(contract.types.get(name)?.properties ?? {}).map(rawFieldOf));
    for (const { type, way } of waysBackOf(contract)) if (type === name) made.add(way.field);
    for (const field of Object.keys(fields)) {
      if (!expected.has(field) && !made.has(field))
        mistakes.push(`schema/*.graphql: ${name}.${field} is no property of the document`);
    }
  }

  function checkEnum(at: string, { type }: { type: GraphQLEnumType | unknown }, values: readonly string[]): void {
    const named = getNamedType(type as GraphQLEnumType);
    const all = isEnumType(named) ? named.getValues().map(({ name }) => name) : [];
    const given = all.filter((name) => name !== unknownValue);
    if (given.toSorted().join() !== values.toSorted().join())
      mistakes.push(`${at}.enum: ${named.name} is no enum of ${values.join(', ')} in schema/*.graphql`);
  }

  function checkBounds(
    at: string,
    field: string,
    { astNode, description }: GraphQLField<unknown, unknown> | GraphQLInputField,
    property: Schema,
  ): void {
    const length = astNode?.directives?.find(({ name }) => name.value === 'length');
    const given = (bound: string) => {
      const value = length?.arguments?.find(({ name }) => name.value === bound)?.value;
      return value?.kind === 'IntValue' ? Number(value.value) : undefined;
    };
    const bounds = { minLength: given('min'), maxLength: given('max') };
    for (const bound of ['minLength', 'maxLength'] as const) {
      if (bounds[bound] !== property[bound])
        mistakes.push(`${at}.${bound}: ${field} has ${lengthOf(bounds)}; the document asks for ${lengthOf(property)}`);
    }
    for (const bound of [property.minLength, property.maxLength]) {
      if (bound !== undefined && !description?.match(/\d+/g)?.includes(String(bound)))
        mistakes.push(`${at}: the description of ${field} does not say ${bound}`);
    }
  }
}

/** Fields that objects of all kinds have, with one type. */
function sharedFields(contract: Contract, { kinds }: Union): Fields {
  const [first, ...others] = kinds.flatMap((kind) => {
    const type = contract.types.get(kind);
    return type ? fieldsOfResource(contract, type) : [];
  });
  return new Map(
    [...(first ?? [])].filter(([field, { type }]) => others.every((other) => other.get(field)?.type === type)),
  );
}

function fieldsOfResource(
  { types, schemas, idProperties }: Contract,
  { name: resource, schemas: forms, properties, references }: ResourceType,
): Fields {
  const fields: Fields = new Map();
  for (const [name, schema] of Object.entries(properties)) {
    const form = forms.find((each) => schemas[each]?.properties?.[name]) ?? '';
    const at = `components.schemas.${form}.properties.${idProperties.get(form)?.get(name)?.property ?? name}`;
    const reference = references[name];
    if (!reference) {
      const idType = [schema.type].flat().includes('null') ? 'ID' : 'ID!';
      fields.set(name, { at, type: name === 'id' ? idType : outputType(name, schema), schema });
      continue;
    }
    const { to, list, noIdField, objects } = reference;
    if (objects) {
      const type = schema.items ? outputType(name, schema) : scalarOf(schema);
      fields.set(name, { at, type, schema }).set(objects, { at, type: `[${to}]` });
      continue;
    }
    fields.set(name, { at, type: list ? `[${to}]` : to });
    if (!noIdField) fields.set(idFieldOf(name, reference), { at, type: list ? '[ID!]' : 'ID' });
  }
  for (const form of forms) addGraphOnly(fields, form, schemas[form]);
  return fields;

  function outputType(name: string, schema: Schema): string {
    if (schema.items) return `[${outputType(name, schema.items)}${schema.items.type?.includes('null') ? '' : '!'}]`;
    if (schema.$ref) return [...types.values()].find((type) => type.schemas.includes(schema.$ref ?? ''))?.name ?? '';
    if (schema.enum) return schema['x-type'] ?? enumOf(resource, name);
    return schema['x-reference'] ? 'ID' : scalarOf(schema);
  }
}

function fieldsOfInput({ schemas, endpoints, types }: Contract, input: string, name: string): Fields {
  const body = schemaNamed(schemas, name);
  const isBody = endpoints.some((endpoint) => endpoint.body?.input === input);
  const fields: Fields = new Map();
  for (const [field, schema] of Object.entries(body?.properties ?? {})) {
    // An update cannot change the id.
    if (schema.readOnly || (field === 'id' && input.startsWith('Update'))) continue;
    const at = `components.schemas.${name}.properties.${field}`;
    const isRequired = body?.required?.includes(field) && ![schema.type].flat().includes('null');
    fields.set(field, { at, type: `${inputType(field, schema)}${isRequired ? '!' : ''}`, schema });
  }
  addGraphOnly(fields, name, body, isBody);
  return fields;

  function inputType(field: string, schema: Schema): string {
    if (schema.items) return `[${inputType(field, schema.items)}!]`;
    const nested = embeddedIn(schema);
    if (nested) return inputOf(nested, types);
    if (schema.enum) return schema['x-type'] ?? enumOf(name.replace(/(Write|Patch)$/, ''), field);
    return field === 'id' || schema['x-reference'] ? 'ID' : scalarOf(schema);
  }
}

/** Lines to paste. The description says the bounds, and lacks the meaning where the document does not have it. */
function sdlOf(field: string, { type, schema = {} }: Expected): string {
  const { description = '…', minLength: min, maxLength: max } = schema;
  const size = min === undefined ? `At most ${max}` : max === undefined ? `At least ${min}` : `${min} to ${max}`;
  const isBounded = min !== undefined || max !== undefined;
  const mark = schema.deprecated && !type.endsWith('!') ? ' @deprecated' : '';
  const text = isBounded ? `${description} ${size} ${(max ?? min) === 1 ? 'character' : 'characters'}.` : description;
  return `  ${JSON.stringify(text)}\n  ${field}: ${type}${isBounded ? ` ${lengthOf(schema)}` : ''}${mark}\n`;
}

function missingEnum({ type, schema }: Expected): [head: string, sdl: string][] {
  const values = schema?.enum?.map((value) => `  "…"\n  ${value}\n`).join('');
  const head = `enum ${type.replace('!', '')}`;
  return values ? [[head, `"…"\n${head} {\n${values}}\n`]] : [];
}

function lackOf([head, sdl]: readonly [head: string, sdl: string]): string {
  return `schema/*.graphql has no ${head}:\n\n${sdl}`;
}

function lengthOf({ minLength: min, maxLength: max }: Pick<Schema, 'minLength' | 'maxLength'>): string {
  const bounds = Object.entries({ min, max }).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}: ${value}`,
  );
  return bounds.length > 0 ? `@length(${bounds.join(', ')})` : 'no @length';
}

/** Only a whole body has properties in another form. */
function addGraphOnly(fields: Fields, name: string, schema: Schema | undefined, isBody = true): void {
  for (const [field, { type, otherFormOf }] of Object.entries(schema?.['x-graphql-only'] ?? {})) {
    if (isBody || !otherFormOf) fields.set(field, { at: `components.schemas.${name}.x-graphql-only.${field}`, type });
  }
}
