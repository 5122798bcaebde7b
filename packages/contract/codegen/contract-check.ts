import type { Union } from '../data.ts';
import { rootFieldOf } from '../reference.ts';
import { argumentOf, type Contract, type Endpoint, isWhole, type Properties } from './contract.ts';
import { filterMistakes } from './filters.ts';
import { idMistakes } from './ids.ts';
import { inheritanceOf } from './inheritance.ts';
import { lackMistakes } from './lacks.ts';
import { isName } from './normal-form.ts';
import { type Dialects, embeddedIn, type Schema, schemaNamed } from './openapi.ts';
import { scalarOf } from './sdl.ts';
import { neverNullMistakes } from './semantic-non-null.ts';
import { shapesOf } from './shapes.ts';
import { addedFieldMistakes, typeNameMistakes } from './type-names.ts';
import { wayBackMistakes } from './ways-back.ts';

/** Mistakes that a contract shows when all of it is read, each with its YAML path. */
export function mistakesIn(contract: Contract): string[] {
  const { endpoints, types, inputs, unions, schemas, dialects, wire, idProperties } = contract;
  const own = [bodyMistakes, invalidationMistakes, timeMistakes, conditionMistakes];
  const ofAll = [filterMistakes, wayBackMistakes, lackMistakes, neverNullMistakes, idMistakes];
  const ofNames = [typeNameMistakes, addedFieldMistakes];
  const answers = [...types.values()].flatMap((type) => type.schemas);
  const propertiesOf = (name: string): Properties => schemaNamed(schemas, name)?.properties ?? {};
  return [
    ...rootFieldMistakes(endpoints),
    ...own.flatMap((mistakesOf) => endpoints.flatMap(mistakesOf)),
    ...[...ofAll, ...ofNames].flatMap((mistakesOf) => mistakesOf(contract)),
    ...endpoints.filter(({ does }) => does === 'list').flatMap(pageMistakes),
    ...Object.entries(schemas).flatMap(keyMistakes),
    ...[...answers, ...inputs.values()]
      .filter((name) => schemaNamed(schemas, name)?.$ref)
      .map((name) => `components.schemas.${name}: refers to itself and has nothing else; give it properties`),
    ...answers.filter(isResource).flatMap((name) => lackingMistakes(name, ['id'])),
    ...[...types.values()].flatMap((type) =>
      type.schemas.flatMap((name) => propertyMistakes(name, type.schemas[0] ?? '')),
    ),
    ...[...inputs.values()].flatMap((name) => propertyMistakes(name, name.replace(/(Write|Patch)$/, ''))),
    ...inheritanceOf(contract).flatMap(inheritanceMistakes),
    ...[...unions.values()].flatMap(unionMistakes),
    ...proofMistakes(endpoints),
    ...dialectMistakes(dialects, shapesOf(contract)),
    ...[...dialectNamesIn(contract)].flatMap(([at, name]) =>
      name === undefined || Object.hasOwn(wire.dialects, name) ? [] : `${at}: x-wire.dialects has no dialect ${name}`,
    ),
    ...(Object.keys(wire.dialects).length > 0 ? [] : ['x-wire.dialects: names no dialect']),
    ...(wire.otherIds ?? [])
      .filter((name) => ![...types.values()].some(({ properties }) => name in properties))
      .map((name) => `x-wire.otherIds: no object has a property ${name}`),
  ];

  function invalidationMistakes({ at, invalidates }: Endpoint): string[] {
    return invalidates
      .filter((name) => !endpoints.find((endpoint) => endpoint.name === name)?.isCached)
      .map((name) => `${at}.x-invalidates: ${name} is no list that is cached`);
  }

  function timeMistakes({ at, kind, does, time, filters }: Endpoint): string[] {
    if (time !== undefined && does !== 'list') return [`${at}: x-newest-first and x-row-time belong to a list`];
    const { properties = {} } = types.get(kind) ?? {};
    const named = [time, ...filters.map((filter) => filter['x-reorders'])].filter((name) => typeof name === 'string');
    // Unix seconds are a time too.
    const isTime = (name: string) => /^(Date|Int|Float|Decimal)/.test(scalarOf(properties[name] ?? {}));
    return named.filter((name) => !isTime(name)).map((name) => `${at}: ${kind} has no property ${name} that is a time`);
  }

  /** The gateway reads the object by its id before it changes the object. */
  function conditionMistakes({ at, kind, does, method, id, body, ifUnchanged: property }: Endpoint): string[] {
    if (property === undefined) return [];
    const place = `${at}.x-if-unchanged`;
    const get = endpoints.find((other) => other.does === 'get' && other.kind === kind && !other.dialect);
    if (does !== 'write' || method === 'POST' || !body || !id || argumentOf(id, 'id') !== 'id' || !get)
      return [`${place}: belongs to a PATCH or a PUT of an object that every service gives by the same id`];
    const isTime = property === true || propertiesOf(get.response)[property]?.format === 'date-time';
    return isTime ? [] : [`${place}: ${get.response} has no date-time ${property}`];
  }

  function unionMistakes({ name, kinds, unknown, evidence, sharesIds }: Union): string[] {
    const at = `components.schemas.${name}`;
    const keys = new Set(kinds.map((kind) => schemas[kind]?.['x-id']));
    const mixed = keys.size > 1 ? [`${at}.oneOf: the ids of its kinds have different names (x-id); leave it out`] : [];
    const twins = endpoints
      .filter(({ does, rootField }) => !sharesIds && does !== 'write' && rootField === rootFieldOf(name))
      .map((twin) => `${twin.at}.operationId: ${at} makes the field ${twin.rootField} too; choose another name`);
    const isFree = unknown && !types.has(unknown) && !unions.has(unknown);
    const lack = `${at}.x-unknown: needs the name of a new type, for an object of unknown kind; or x-scalar: JSON`;
    const wrong = Object.entries(evidence).flatMap(([type, shown]) =>
      shown.flatMap(({ field, is, where = field, equals }, index) => {
        const others = shown.filter((each) => each.is !== is && each.field === field && each.equals === equals);
        const isUnclear = equals !== undefined && others.some((each) => (each.where ?? field) === where);
        const place = `${at}.x-evidence.${type}.${index}`;
        const { properties = {}, references = {} } = types.get(type) ?? {};
        const lacking = [field, where].filter((property) => !(property in properties));
        return [
          ...lacking.map((property) => `${place}: ${type} has no property ${property}`),
          ...(references[field]?.to === name ? [] : [`${place}.field: ${type}.${field} does not refer to ${name}`]),
          ...(kinds.includes(is) ? [] : [`${place}.is: ${is} is no ${name}`]),
          ...(isUnclear ? [`${place}.equals: shows another kind too`] : []),
        ];
      }),
    );
    return [...mixed, ...(isFree ? [] : [lack]), ...twins, ...wrong];
  }

  /** An object without an id is a part of another one. */
  function isResource(name: string): boolean {
    const isAnswered = endpoints.some(({ does, kind, response }) => (does === 'list' ? kind : response) === name);
    return isAnswered || 'id' in propertiesOf(name);
  }

  function pageMistakes({ at, response, unpaged }: Endpoint): string[] {
    const { count: place, rows, countHeader } = wire.page;
    const [count = ''] = place.split('.');
    const isCounted = count in propertiesOf(response) || !(unpaged || countHeader);
    if (isCounted && response.endsWith('[]')) return [`${at}.responses: an array has no count; ${countAdvice}`];
    const lacking = lackingMistakes(response, isCounted ? [count, rows] : [rows]);
    // A page without a schema of its own.
    return lacking.map((mistake) => mistake.replace(/^\S+\{\}\S+:/, `${at}.responses:`));
  }

  function keyMistakes([name, { 'x-id': key }]: [name: string, schema: Schema]): string[] {
    const mistake = `components.schemas.${name}.x-id: no property ${key}, or a body has the schema too; give it one of its own`;
    return !key || idProperties.get(name)?.has('id') ? [] : [mistake];
  }

  function lackingMistakes(name: string, properties: readonly string[]): string[] {
    const lacking = properties.filter((each) => !(each in propertiesOf(name)));
    const advice = properties[0] === 'id' ? '; x-id names another' : '';
    return lacking.map((each) => `components.schemas.${name}.properties: has no ${each}${advice}`);
  }

  /** A property is the same in all schemas of a type, but for objects in place of their ids. */
  function propertyMistakes(name: string, first: string): string[] {
    const properties = propertiesOf(name);
    const mistakes: string[] = [];
    for (const [field, property] of Object.entries(properties)) {
      const at = `components.schemas.${name}.properties.${idProperties.get(name)?.get(field)?.property ?? field}`;
      const choices = property.items ?? property;
      const options = choices['x-reference'];
      if (options && !(options.to in schemas)) mistakes.push(`${at}.x-reference.to: no schema ${options.to}`);
      if (property.items && property['x-reference']) mistakes.push(`${at}.x-reference: belongs to its items`);
      if (options && String(choices.type).includes('boolean')) mistakes.push(`${at}.x-reference: a boolean is no id`);
      for (const other of [options?.details, options?.within, ...(options?.loadAfter ?? [])]) {
        if (other && !(other in properties)) mistakes.push(`${at}.x-reference: ${name} has no property ${other}`);
      }
      if (options?.where && options.to in schemas && !(options.where in propertiesOf(options.to)))
        mistakes.push(`${at}.x-reference.where: ${options.to} has no property ${options.where}`);
      if (options?.probeFirst && !unions.get(options.to)?.kinds.includes(options.probeFirst))
        mistakes.push(`${at}.x-reference.probeFirst: ${options.probeFirst} is no ${options.to}`);
      if (!isName(field)) mistakes.push(`${at}: is no name of GraphQL; leave the property out`);
      if (property['x-scalar'] === 'Decimal' && [property.type].flat().includes('number'))
        mistakes.push(`${at}: a Decimal has the type string, which keeps its digits`);
      if (field === 'id' && types.get(first)?.references.id)
        mistakes.push(`${at}.x-reference: leave it out; an id is that of its own object`);
      if (property.items && (property.enum ?? property.$ref ?? property.properties))
        mistakes.push(`${at}: is a list and something else too, by its allOf; leave one of them out`);
      const { $ref, 'x-reference': within = $ref } = property.items?.items ?? {};
      if (within)
        mistakes.push(`${at}: objects stand in no list of lists; leave ${$ref ? 'the property' : 'x-reference'} out`);
      if (isInline(property) && !types.get(first)?.references[field])
        mistakes.push(`${at}: an object needs a schema of its own, and a $ref to it; or \`x-scalar: JSON\``);
      if ((choices.oneOf || schemas[choices.$ref ?? '']?.oneOf) && !types.get(first)?.references[field])
        mistakes.push(`${at}: objects of several kinds are any JSON; with \`x-scalar: JSON\`, the field shows them`);
      const same = propertiesOf(first)[field];
      if (same && !embeddedIn(property) && !property.properties && valuesOf(property) !== valuesOf(same))
        mistakes.push(`${at}: differs from components.schemas.${first}.properties.${field}; make them equal`);
    }
    return mistakes;
  }

  function inheritanceMistakes({ type, field, heir, property, from }: ReturnType<typeof inheritanceOf>[number]) {
    const at = `components.schemas.${type}.properties.${field}.x-inherits.${property}`;
    const lacks = (name: string, key: string) => !(key in (types.get(name)?.properties ?? {}));
    return [
      ...(lacks(heir, property) ? [`${at}: ${heir || 'the value'} has no property ${property}`] : []),
      ...(lacks(type, from) ? [`${at}: ${type} has no property ${from}`] : []),
    ];
  }
}

const countAdvice =
  'name the header that has it in x-wire.page.countHeader, or leave the endpoint out; where the service gives all rows, leave out its parameters of pages';

function rootFieldMistakes(endpoints: readonly Endpoint[]): string[] {
  return endpoints.flatMap(({ at, name, rootField, does }, index) => {
    const isSame = (other: Endpoint) =>
      other.rootField === rootField && (other.does === 'write') === (does === 'write');
    const first = endpoints.findIndex((other) => isSame(other) || other.name === name);
    if (first === index) return [];
    const advice = `an operationId such as \`${does === 'write' ? 'add' : does}Other\` makes another`;
    return [`${at}.operationId: ${endpoints[first]?.at} makes the field ${rootField} too; ${advice}`];
  });
}

/** The gateway asks one endpoint whether the service accepts a key. */
function proofMistakes(endpoints: readonly Endpoint[]): string[] {
  const possible = endpoints.filter((endpoint) => endpoint.does === 'list' && isWhole(endpoint));
  const proofs = endpoints.filter(({ provesKey }) => provesKey);
  if (proofs.length === 1 && proofs.every((proof) => possible.includes(proof))) return [];
  const named = proofs.map(({ name }) => name).join(', ') || 'none';
  const example = possible[0] ? `, such as ${possible[0].at},` : '';
  return [`paths: one list without ids in its path${example} has \`x-proves-key: true\`; now: ${named}`];
}

const isText = ({ format, contentMediaType }: Schema) => format !== 'binary' && !contentMediaType;

function bodyMistakes({ at, method, body, files }: Endpoint): string[] {
  const [file, ...others] = files.toSorted(([, one], [, other]) => Number(isText(one)) - Number(isText(other)));
  if (others.length > 0)
    return [`${at}.requestBody: a form has one file alone; leave out ${others.map(([name]) => name)}, or the endpoint`];
  return method === 'DELETE' && (body || file) ? [`${at}.requestBody: a DELETE has no body; leave it out`] : [];
}

/** A difference belongs to a place in answers. A field can be absent that the contract has, and an enum can have more values. */
function dialectMistakes(dialects: Dialects, shapes: ReturnType<typeof shapesOf>): string[] {
  return Object.entries(dialects).flatMap(([dialect, places]) =>
    Object.entries(places).flatMap(([place, fields]) => {
      const [schema = '', property] = place.split('.');
      const shape = shapes[place] ?? (property && shapes[shapes[schema]?.[property]?.replaceAll('[]', '') ?? '']);
      const at = `x-dialects.${dialect}.${place}`;
      if (!shape) return `${at}: no schema of an answer, and no property that embeds one`;
      return Object.entries(fields).flatMap(([field, words]) => {
        const type = shape[field];
        if (!type && words.includes('absent')) return `${at}.${field}: the schema has no such property`;
        const isEnum = type?.includes('|');
        return words.some((word) => /^[A-Z]/.test(word)) && !isEnum ? `${at}.${field}: the property has no enum` : [];
      });
    }),
  );
}

/** The dialects that the document names, by their places. */
function dialectNamesIn({ endpoints, schemas, dialects }: Contract): ReadonlyMap<string, string | undefined> {
  const named = new Map<string, string | undefined>(Object.keys(dialects).map((name) => [`x-dialects.${name}`, name]));
  for (const { at, dialect, sends = {}, filters } of endpoints) {
    named.set(`${at}.x-only-in`, dialect);
    for (const filter of filters) named.set(`${at}.parameters.${filter.name}.x-only-in`, filter['x-only-in']);
    for (const [parameter, values] of Object.entries(sends)) {
      for (const name of Object.keys(values)) named.set(`${at}.x-sends.${parameter}.${name}`, name);
    }
  }
  for (const [schema, { properties = {} }] of Object.entries(schemas)) {
    for (const [name, { 'x-only-in': dialect }] of Object.entries(properties))
      named.set(`components.schemas.${schema}.properties.${name}.x-only-in`, dialect);
  }
  return named;
}

/** Objects whose schema has no name, which the graph needs for their type. */
function isInline({ $ref, properties, items, type, 'x-scalar': scalar }: Schema): boolean {
  const isObject = properties !== undefined || type === 'object';
  return (isObject && !($ref ?? scalar)) || (items !== undefined && isInline(items));
}

/** The values of a property. Bodies may have other bounds, and null. */
function valuesOf(schema: Schema): string {
  const { items, enum: values, 'x-reference': reference } = schema;
  return items ? `[${valuesOf(items)}]` : (reference?.to ?? values?.toSorted().join() ?? scalarOf(schema));
}
