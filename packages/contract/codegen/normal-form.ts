import querystring from 'node:querystring';
import { isObject, type Json } from '@gateway/base';
import { ContractError } from './contract-error.ts';

/** Standard keys that change nothing for the gateway. */
const unused = new Set(
  `openapi info servers tags externalDocs webhooks jsonSchemaDialect examples links headers callbacks head options
  trace bearerFormat scheme flows openIdConnectUrl allowEmptyValue allowReserved requestBodies
  pathItems title default const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems
  uniqueItems prefixItems xml minProperties maxProperties additionalProperties patternProperties propertyNames not
  contentEncoding discriminator $schema $id $comment x-codeSamples x-internal x-order x-logo x-nullable
  x-spec-enum-id x-enum-varnames x-enumNames x-enum-descriptions`.split(/\s+/),
);
/** Keys of other programs. */
const foreign =
  /^x-(amazon|apifox|aws|azure|faker|fern|go|google|java|kong|kubernetes|ms|oapi|postman|readme|redoc|speakeasy|stainless|stoplight|swagger|tyk)(?![a-z])/;
/** The format of drf-spectacular, or the pattern of Pydantic. */
const decimal = /^decimal | \^\(\?!\^\[-\+\.\]/;
const start = '#/components/schemas/';
const objectsIn = (value: unknown): Json[] => [value].flat().filter(isObject);
const hasNames = (values: unknown) => Array.isArray(values) && values.every(isName);
const withoutNull = (values: unknown) => [values ?? []].flat().filter((each) => each !== 'null' && each !== null);

/** Fields, arguments and values of enums have such names. */
export function isName(text: unknown): boolean {
  if (typeof text !== 'string' || text in {}) return false;
  return /^(?!__)[A-Za-z_]\w*$/.test(text) && !['true', 'false', 'null'].includes(text);
}

/**
 * The document in the one form that the contract has. Generators have several for schemas, and say more.
 * @throws ContractError for two schemas whose names differ by signs alone, and for wrong names of types.
 */
export function normalForm(document: unknown): unknown {
  const components = objectsIn(objectsIn(document)[0]?.components)[0] ?? {};
  const schemas = objectsIn(components.schemas)[0] ?? {};
  const names = Object.keys(schemas);
  const typeOf = (name: string) => String(objectsIn(schemas[name])[0]?.['x-type'] ?? name);
  /** The first schema of a type that no schema is called by has its name. Names of types have these characters alone. */
  const wordOf = (name: string) => {
    const type = typeOf(name);
    const isFirst = !(type in schemas) && names.find((each) => typeOf(each) === type) === name;
    return (isFirst ? type : name).replaceAll(/\W/g, '');
  };
  const refersTo = ($ref: unknown) => wordOf(querystring.unescape(`${$ref}`.slice(start.length)).replaceAll('~1', '/'));
  const alike = names.filter((name) => names.find((each) => wordOf(each) === wordOf(name)) !== name);
  const mistakes = [
    ...alike.map((name) => `components.schemas.${name}: is ${wordOf(name)} too; rename one of them`),
    ...typeMistakes(schemas),
  ];
  if (mistakes.length > 0) throw new ContractError(mistakes);
  const sources = new Map(Object.entries(schemas).map(([name, schema]) => [wordOf(name), schema]));
  const found = new Map<string, unknown>();
  const whole = formOf(document, '', false);
  for (const name of sources.keys()) if (isEndless(name)) Object.assign(named(name) ?? {}, { $ref: start + name });
  return whole;

  /** `key` names the value in its object. */
  function formOf(value: unknown, key: string, isProperty: boolean): unknown {
    if (Array.isArray(value) && key !== 'security') return value.map((each) => formOf(each, '', false));
    if (!isObject(value) || key.startsWith('x-') || (key === 'example' && !isProperty)) return value;
    const [, kind = '', part = ''] = /^#\/components\/(responses|requestBodies)\/(.+)$/.exec(`${value.$ref}`) ?? [];
    if (kind) return formOf(objectsIn(components[kind])[0]?.[part], key, false);
    if (value === components.schemas) return Object.fromEntries([...sources.keys()].map((name) => [name, named(name)]));
    const isMap = !isProperty && (/^(responses|properties)$/.test(key) || Object.values(components).includes(value));
    const parts = partsOf(value, key).filter(([name]) => isMap || !(unused.has(name) || foreign.test(name)));
    const whole = Object.fromEntries(parts.map(([at, each]) => [at, formOf(each, at, isMap && key === 'properties')]));
    if (isProperty || key === 'items') return propertyOf(schemaOf(whole), isProperty);
    return isMap ? whole : schemaOf(whole);
  }

  function named(name: string): Json | undefined {
    if (sources.has(name) && !found.has(name)) {
      const [{ items } = {}] = objectsIn(sources.get(name));
      // Within itself, a schema counts as an object, or as a list of objects or of any JSON.
      const { $ref } = objectsIn(items)[0] ?? {};
      const item = $ref ? { $ref: start + refersTo($ref) } : { 'x-scalar': 'JSON' };
      found.set(name, items ? { type: 'array', items: item } : { properties: { id: {} } });
      found.set(name, formOf(sources.get(name), '', false));
    }
    return objectsIn(found.get(name))[0];
  }

  /** The schema is another name of itself, through others. The contract has it as one of itself alone. */
  function isEndless(name: string, passed: readonly string[] = []): boolean {
    const { $ref } = named(name) ?? {};
    if ($ref === undefined || passed.includes(name)) return passed[0] === name;
    return isEndless(String($ref).slice(start.length), [...passed, name]);
  }

  /** `allOf` becomes one schema, and null a type. A value stands in place of its name. */
  function schemaOf({ $ref, allOf, anyOf, oneOf = anyOf, nullable, enum: values = [], ...own }: Json): Json {
    if (own['x-scalar'] === 'JSON') return { ...own, properties: undefined, items: undefined };
    const choices = objectsIn(oneOf).filter((choice) => choice.$ref || String(choice.type) !== 'null');
    const texts = withoutNull(values);
    const isEnum = texts.length > 0 && texts.every((text) => typeof text === 'string');
    const last = { ...(isEnum && { type: 'string', enum: texts }), ...own };
    const whole = merged([...objectsIn(allOf), referred($ref), joined(choices), last]);
    const isDecimal = String(withoutNull(whole.type)) === 'string' && decimal.test(`${whole.format} ${whole.pattern}`);
    if (isDecimal) whole['x-scalar'] ??= 'Decimal';
    const isNullable = nullable || choices.length < objectsIn(oneOf).length || texts.length < [values].flat().length;
    return isNullable ? { ...whole, type: [...new Set([whole.type ?? [], 'null'].flat())] } : whole;
  }

  /** An object stays a reference. */
  function referred($ref: unknown): Json {
    const name = refersTo($ref);
    const target = String($ref).startsWith(start) ? named(name) : undefined;
    if (target && !isOfObjects({ ...target, items: [] }))
      return hasNames(target.enum) && isName(name) ? { 'x-type': name, ...target } : target;
    return $ref === undefined ? {} : { $ref: target ? start + name : $ref };
  }

  /** One schema that has all of these. A later one wins. */
  function merged(given: readonly Json[]): Json {
    const parts = given.filter(isOfObjects).length < 2 ? given : given.map(withOwn);
    const whole: Json = Object.assign({}, ...parts);
    const required = parts.flatMap((part) => (Array.isArray(part.required) ? part.required : []));
    if (required.length > 0) whole.required = required;
    if (whole.properties) whole.properties = Object.assign({}, ...parts.map(({ properties }) => properties));
    return whole;
  }

  function withOwn({ $ref, ...part }: Json): Json {
    const { oneOf: _choices, 'x-type': _type, ...own } = named(String($ref).slice(start.length)) ?? {};
    return { ...own, ...part };
  }
}

/** Schemas and properties with a name for the type that they do not have. */
function typeMistakes(schemas: Json): string[] {
  const places = Object.entries(schemas).flatMap(([name, schema]) => {
    const at = `components.schemas.${name}`;
    const properties = Object.entries(objectsIn(objectsIn(schema)[0]?.properties)[0] ?? {});
    return [[at, schema] as const, ...properties.map(([each, part]) => [`${at}.properties.${each}`, part] as const)];
  });
  return places.flatMap(([at, schema]) => {
    const [{ 'x-type': name, enum: values, type } = {}] = objectsIn(schema);
    if (name === undefined) return [];
    if (!isName(name)) return `${at}.x-type: ${name} is no name of GraphQL`;
    const isPlain = !values && /string|number|integer|boolean|array/.test(`${type}`);
    return isPlain ? `${at}.x-type: names the type of an object or an enum; leave it out` : [];
  });
}

/** Answers of successes, content of JSON, and schemes with a header, where there are some. */
function partsOf(value: Json, key: string): [name: string, part: unknown][] {
  const parts = Object.entries(value);
  const first = (types: RegExp) => parts.find(([type]) => types.test(type));
  const json = first(/^(application\/json\b|\*\/\*)/) ?? first(/^application\/(?!.*patch)[\w.-]+\+json\b/);
  if (key === 'content' && json) return [['application/json', json[1]]];
  const better = parts.filter(([name, part]) =>
    key === 'responses' ? name.startsWith('2') : !/^(query|cookie)$/.test(String(objectsIn(part)[0]?.in)),
  );
  return /^(responses|securitySchemes)$/.test(key) && better.length > 0 ? better : parts;
}

/** One schema for any of these. Objects stay choices. Pydantic takes decimals as numbers too. */
function joined(choices: readonly Json[]): Json {
  if (choices.length < 2) return choices[0] ?? {};
  if (choices.some(isOfObjects)) return { oneOf: choices };
  const [type, second] = new Set(withoutNull(choices.flatMap((choice) => choice.type)));
  const isEnum = choices.every((choice) => choice.enum);
  if (!second && type !== 'array') return { type, ...(isEnum && { enum: choices.flatMap((choice) => choice.enum) }) };
  return choices.find(({ pattern }) => decimal.test(` ${pattern}`)) ?? { 'x-scalar': 'JSON' };
}

function isOfObjects({ $ref, properties, oneOf, items }: Json): boolean {
  return Boolean($ref ?? oneOf ?? Object.keys(properties ?? {})[0]) || objectsIn(items).some(isOfObjects);
}

/** A value without a form is any JSON. An enum that GraphQL cannot have is a text. */
function propertyOf({ enum: values, 'x-type': name, ...value }: Json, mayBeEnum: boolean): Json {
  if (mayBeEnum && hasNames(values)) return { ...value, enum: values, 'x-type': name };
  const [type, second] = withoutNull(value.type);
  const isPlain = !second && /^(string|number|integer|boolean)$/.test(String(type));
  const hasForm = isOfObjects(value) || ['items', 'x-scalar', 'x-reference'].some((key) => value[key]);
  return isPlain || hasForm ? value : { ...value, type: undefined, properties: undefined, 'x-scalar': 'JSON' };
}
