import type { Union } from '../data.ts';
import { isName } from './normal-form.ts';
import { embeddedIn, type OpenApi, type ReferenceOptions, type Schema, type WayBack } from './openapi.ts';

type Schemas = OpenApi['components']['schemas'];

/** A property of the service that the graph names after its object. */
export interface IdProperty {
  /** The name that the service has for it, such as `author_id`. */
  property: string;
  schema: Schema;
}

/** By schema, and by the name that the graph has for the object. */
export type IdProperties = ReadonlyMap<string, ReadonlyMap<string, IdProperty>>;

interface Types {
  /** The service gives objects of this type. */
  isGiven(type: string): boolean;
  /** The type of the graph for a schema. */
  typeOf(schema: string): string;
}

/**
 * Names properties with ids after their objects, in place: `author_id` becomes `author`, and `tag_ids` becomes `tags`. An
 * object of that name beside the id is the same object. The key of an object (`x-id: isbn`) becomes its `id`, and `first-name`
 * becomes `first_name`. The schemas of `bodies` keep the names that the service takes.
 */
export function nameAfterObjects(schemas: Schemas, bodies: readonly string[], types: Types): IdProperties {
  const sent = new Set<string>();
  const addSent = (name: string) => {
    if (sent.has(name)) return;
    sent.add(name);
    for (const property of Object.values(schemas[name]?.properties ?? {})) addSent(embeddedIn(property) ?? name);
  };
  bodies.forEach(addSent);

  /** All schemas of a type, and all kinds of a union, have one key. */
  const keyOf = (name: string) => {
    const { 'x-id': key, oneOf: [kind] = [] } = schemas[name] ?? {};
    return key ?? schemas[kind?.$ref ?? types.typeOf(name)]?.['x-id'] ?? 'id';
  };
  const found = new Map<string, ReadonlyMap<string, IdProperty>>();
  for (const [name, schema] of Object.entries(schemas)) {
    if (sent.has(name) || !schema.properties) continue;
    const own = idPropertiesOf(schema.properties, keyOf(name), { ...types, keyOf });
    if (own.size === 0) continue;
    found.set(name, own);
    schemas[name] = renamed(schema, own);
  }
  return found;
}

/** The name that the graph has for a property of one of these schemas. */
export function nameIn(schemas: readonly string[], property: string, all: IdProperties): string {
  const names = schemas.map((schema) => nameOf(property, all.get(schema) ?? new Map()));
  return names.find((name) => name !== property) ?? property;
}

/** The way back from rows of a schema with the names of the graph. */
export function wayBackAmong(all: IdProperties, row: string, way: WayBack): WayBack {
  const named = (property: string) => nameIn([row], property, all);
  return { ...way, of: way.of.map(named), gives: way.gives && named(way.gives), where: way.where && named(way.where) };
}

/** The evidence with the names of the graph. */
export function evidenceAmong(all: IdProperties, evidence: Union['evidence']): Union['evidence'] {
  const named = Object.entries(evidence).map(([type, shown]) => {
    const nameOf = (property: string) => nameIn([type], property, all);
    return [type, shown.map((it) => ({ ...it, field: nameOf(it.field), where: it.where && nameOf(it.where) }))];
  });
  return Object.fromEntries(named);
}

function nameOf(property: string, own: ReadonlyMap<string, IdProperty>): string {
  return [...own].find(([, each]) => each.property === property)?.[0] ?? property;
}

function idPropertiesOf(
  properties: Readonly<Record<string, Schema>>,
  key: string,
  { isGiven, typeOf, keyOf }: Types & { keyOf(schema: string): string },
): Map<string, IdProperty> {
  const found = new Map<string, IdProperty>();
  const ofKey = properties[key];
  if (key !== 'id' && ofKey) found.set('id', { property: key, schema: ofKey });
  for (const [property, schema] of Object.entries(properties)) {
    const { 'x-reference': reference } = schema.items ?? schema;
    const word = isName(property) ? property : property.replaceAll(/\W+|^(?=\d)/g, '_');
    const isObject = reference && !reference.objects && isGiven(reference.to);
    const name = (isObject && objectName(word, schema.items !== undefined, keyOf(reference.to))) || word;
    if (name === property) continue;
    const twin = properties[name];
    // Another value of that name keeps both names as they are.
    const embedded = twin && embeddedIn(twin);
    if (!twin || (embedded && typeOf(embedded) === reference?.to)) found.set(name, { property, schema });
  }
  return found;
}

/** `author_id` or `authorId` → `author`, of a list `tag_ids` → `tags`. The key may have another name: `author_code`. */
function objectName(property: string, isList: boolean, key: string): string | undefined {
  const endings = [`_${key}`, key.charAt(0).toUpperCase() + key.slice(1)].map((each) => (isList ? `${each}s` : each));
  const ending = endings.find((each) => property.endsWith(each) && property !== each);
  const noun = ending && property.slice(0, -ending.length);
  return noun && isList ? pluralOf(noun) : noun;
}

export function pluralOf(noun: string): string {
  return `${noun.replace(/(?<![aeiou])y$/, 'ie').replace(/(s|x|ch|sh)$/, '$1e')}s`;
}

function renamed(schema: Schema, own: ReadonlyMap<string, IdProperty>): Schema {
  const named = (property: string) => nameOf(property, own);
  const properties = Object.entries(schema.properties ?? {}).flatMap(([property, value]) => {
    const name = named(property);
    const isOfValue = name === property || name === 'id' || !(value.items ?? value)['x-reference'];
    // The object beside the id comes with the id.
    if (own.has(property)) return [];
    return [[name, isOfValue ? value : withObject(value, schema.properties?.[name], named)] as const];
  });
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    ...(schema.required && { required: schema.required.map(named) }),
    ...(schema['x-never-null'] && { 'x-never-null': schema['x-never-null'].map(named) }),
  };
}

/** The property as a reference of another name. The object beside it stands in its place. */
function withObject(value: Schema, twin: Schema | undefined, named: (property: string) => string): Schema {
  const { details, loadAfter, ...others } = (value.items ?? value)['x-reference'] as ReferenceOptions;
  const reference: ReferenceOptions = {
    ...others,
    ...(details !== undefined && !twin && { details }),
    ...(loadAfter && { loadAfter: loadAfter.map(named) }),
    ...(twin && { mayBeEmbedded: true }),
  };
  const shown = twin ?? value;
  if (!shown.items) return { ...shown, 'x-reference': reference };
  return { ...shown, items: { ...shown.items, 'x-reference': reference } };
}
