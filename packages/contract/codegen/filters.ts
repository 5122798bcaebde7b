import { argumentOf, type Contract, type Endpoint } from './contract.ts';
import { nameIn } from './id-properties.ts';
import { idPattern } from './ids.ts';
import { isName } from './normal-form.ts';
import { embeddedIn, type Parameter, type Schema } from './openapi.ts';

/** How answers show whether the service applies a filter. */
export function filterCheckOf(filter: Parameter, kind: string, contract: Contract) {
  const { properties = {} } = contract.types.get(kind) ?? {};
  const { name, in: place, 'x-only-in': dialect, 'x-adds': adds } = filter;
  const bound = boundIn(name, properties);
  const property = bound ? bound.property : (placeIn(contract, kind, name)?.name ?? name);
  const schema = comparedSchema(filter.schema, bound && properties[property ?? '']);
  // The name of a bound may be that of a property too.
  const isClear = property !== undefined && !(bound && name in properties);
  const isShown = isClear && isValueOf(properties[property], schema, bound !== undefined);
  const shownBy = filter['x-shown-by'] ?? [adds ?? (isShown ? property : [])].flat();
  const places = shownBy.map((each) => placeIn(contract, kind, each));
  const isBoolean = places.some((each) => [each?.schema.type].flat().includes('boolean'));
  const usual = adds ? 'adds' : usualCompare(place === 'path' ? 'id' : formOf(schema), bound?.isUpper, isBoolean);
  const isOrder = (!dialect && shownBy.length === 0 && ofOrder.test(name)) || undefined;
  const { 'x-compares': compares = usual, 'x-reorders': reorders = isOrder } = filter;
  return {
    dialect,
    compares,
    values: schema.enum ?? (compares === 'values' ? ['true', 'false'] : undefined),
    times: { date: 'date', 'date-time': 'iso' }[schema.format as 'date'],
    shownBy: places.map((each, index) => each?.name ?? (shownBy[index] as string)),
    join: filter.join,
    otherName: filter['x-other-name'],
    checkedBy: filter['x-checked-by'],
    reorders,
    inPath: place === 'path' ? idPattern(schema) : undefined,
  };
}

/** Filters of such names order the rows. `sort_code` is no such name. */
const ofOrder = /^(sort(_?(by|key|field|order|dir|direction))?|ordering|order_?by)$/i;

/** The description of a filter that the document does not describe. */
export function meaningOf(filter: Parameter, kind: string, contract: Contract): string {
  const { shownBy, compares } = filterCheckOf(filter, kind, contract);
  const { enum: values, 'x-type': type } = filter.schema;
  const among = values && !type ? ` One of ${values.join(', ')}.` : '';
  const relation = relations[compares];
  if (!relation || shownBy.length === 0) return `The parameter \`${filter.name}\` of the service.${among}`;
  return `Only rows whose \`${shownBy.join('` or `')}\` ${relation} this.${among}`;
}

const relations: Partial<Record<string, string>> = {
  ids: 'is',
  values: 'is',
  numbers: 'is',
  texts: 'contains',
  words: 'has the words of',
  after: 'is not before',
  before: 'is not after',
  atLeast: 'is at least',
  atMost: 'is at most',
};

/** The property of the filter's name shows its value, by their forms. A text may be searched in any property. */
function isValueOf(property: Schema | undefined, value: Schema, isBound: boolean): boolean {
  const form = formOf(value);
  const isNearby = form === 'time' || [value.type].flat().includes('number');
  if (!property || form === 'text' || (isNearby && !isBound)) return false;
  if (form === 'enum') return covers(property, value.enum);
  const { $ref, 'x-reference': reference } = property.items ?? property;
  return form === 'id' ? Boolean($ref ?? reference) : form === formOf(property);
}

const covers = (property: Schema | undefined, values: readonly string[] = []) =>
  values.every((value) => property?.enum?.includes(value));

/** A text that bounds a time or a number is compared as such. */
function comparedSchema(schema: Schema, bounded: Schema | undefined): Schema {
  return formOf(schema) === 'text' && bounded && /time|number/.test(formOf(bounded)) ? bounded : schema;
}

function formOf({ type, format, enum: values, 'x-scalar': scalar, 'x-reference': reference }: Schema) {
  const types = [type].flat();
  if (reference) return 'id';
  if (values) return 'enum';
  if (scalar === 'DateTime' || format?.startsWith('date')) return 'time';
  if (scalar === 'Decimal' || types.includes('integer') || types.includes('number')) return 'number';
  return types.includes('boolean') ? 'boolean' : 'text';
}

function usualCompare(form: ReturnType<typeof formOf>, isUpper: boolean | undefined, isBoolean: boolean) {
  if (form === 'time') return isUpper ? 'before' : 'after';
  if (form === 'number' && isUpper !== undefined) return isUpper ? 'atMost' : 'atLeast';
  if (form === 'boolean') return isBoolean ? 'values' : 'amounts';
  return ({ id: 'ids', enum: 'values', number: 'numbers', text: 'texts' } as const)[form];
}

/** The bound in a name such as `price__lte`, `min_price` or `createdBefore`, and the property of the rest. */
function boundIn(name: string, properties: object) {
  const words = name.split(/_+|(?<=[a-z])(?=[A-Z])/).map((each) => each.toLowerCase());
  const isBound = (word = '') => /^([gl]te?|min|max|from|to|since|until|after|before)$/.test(word);
  const word = [words.at(-1), words[0]].find(isBound);
  const rest = words.filter((each) => each !== word).join('');
  const property = Object.keys(properties).find((each) => each.replaceAll('_', '').toLowerCase() === rest);
  return word ? { property, isUpper: /^(l|max|to|until|before)/.test(word) } : undefined;
}

/** A property of a row, by the names of the graph. `author.is_alive` is one of the object `author`. */
function placeIn(contract: Contract, kind: string, place: string): { name: string; schema: Schema } | undefined {
  const [first = '', ...rest] = place.split('.');
  const { references = {}, properties = {}, schemas = [] } = contract.types.get(kind) ?? {};
  const name = nameIn(schemas, first, contract.idProperties);
  const schema = properties[name];
  if (!schema) return undefined;
  if (rest.length === 0 || schema['x-scalar'] === 'JSON') return { name: [name, ...rest].join('.'), schema };
  const target = embeddedIn(schema) ?? references[name]?.to ?? '';
  const kinds = contract.unions.get(target)?.kinds ?? [contract.schemas[target]?.['x-type'] ?? target];
  const [found] = kinds.flatMap((kind) => placeIn(contract, kind, rest.join('.')) ?? []);
  return found && { ...found, name: `${name}.${found.name}` };
}

/** Mistakes of parameters, each with its YAML path. */
export function filterMistakes(contract: Contract): string[] {
  return contract.endpoints.flatMap((endpoint) =>
    endpoint.filters.flatMap((filter) => {
      const found = endpoint.does === 'list' ? mistakesOf(filter, endpoint, contract) : [notSent];
      return found.map((mistake) => `${endpoint.at}.parameters.${filter.name}${mistake}`);
    }),
  );
}

const notSent = ': the gateway sends parameters in the query of lists alone; leave it out, or the endpoint';

function mistakesOf(filter: Parameter, { kind, filters, unpaged }: Endpoint, contract: Contract): string[] {
  const { name, in: place, schema, 'x-only-in': dialect, 'x-adds': adds, 'x-checked-by': by } = filter;
  if (!/path|query/.test(place)) return [notSent];
  if (unpaged && ofPages.test(name)) return [': asks for a page; name it in x-wire.page, or leave the endpoint out'];
  const { properties = {} } = contract.types.get(kind) ?? {};
  const { compares, shownBy, reorders, values } = filterCheckOf(filter, kind, contract);
  const lacking = shownBy.find((place) => !placeIn(contract, kind, place));
  const { to = kind } = schema['x-reference'] ?? {};
  const isChecked = [...shownBy, by, reorders, filter['x-shown-by']].some(Boolean) || name in properties;
  const similar = Object.keys(properties).find((each) => covers(properties[each], values)) ?? '…';
  const isOptional = filters.some((other) => other.name === by && other['x-only-in']);
  const mistakes: [isMade: boolean, mistake: string][] = [
    [!isFree(argumentOf(filter)), `: is no free name; \`x-argument: ${freeName(name)}\` gives the argument one`],
    [
      place === 'query' && filter.required === true,
      '.required: a list answers without its filters; `required: false` where this one does, or leave the endpoint out',
    ],
    [!dialect && (by !== undefined || typeof reorders === 'string'), ': needs x-only-in'],
    [dialect !== undefined && by !== undefined && !isOptional, `.x-checked-by: no parameter ${by} with x-only-in`],
    [lacking !== undefined && adds === undefined, `.x-shown-by: ${kind} has no property ${lacking}`],
    [
      compares === 'values' && !isChecked,
      `: no property of a row shows that the service obeys it; add \`x-shown-by: [${similar}]\`, or \`x-reorders: true\` if it orders the rows`,
    ],
    [!(to in contract.schemas), `.schema.x-reference: no schema ${to}`],
    [schema['x-type'] !== undefined && !schema.enum, '.schema.x-type: names an enum; leave it out'],
    [adds !== undefined && !(dialect && schema.type === 'boolean'), '.x-adds: belongs to a boolean with x-only-in'],
    [
      adds !== undefined && ![properties[adds]?.type].flat().includes('boolean'),
      `.x-adds: ${kind} has no boolean ${adds}`,
    ],
  ];
  return mistakes.flatMap(([isMade, mistake]) => (isMade ? mistake : []));
}

/** A service with such a parameter gives no list as a whole. */
const ofPages =
  /^(page(\[\w+\])?|per[_-]?page|page[_-]?(size|number|no|index|token)|limit|offset|skip|take|cursor|start)$/i;

const isFree = (name: string) => isName(name) && !/^(limit|offset|first|after|last|before)$/.test(name);

/** `size[gte]` → `size_gte`, `after` → `by_after`. */
export function freeName(name: string): string {
  const word = name.replaceAll(/\W+/g, '_').replace(/_$/, '');
  return isFree(word) ? word : `by_${word}`;
}
