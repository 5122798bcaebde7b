import type { Contract } from './contract.ts';
import { embeddedIn, type Schema, schemaNamed } from './openapi.ts';

/** A number of 64 bits. */
const numberPattern = String.raw`^(0|[1-9]\d{0,18})$`;
const uuidPattern = String.raw`^[\da-fA-F]{8}(-[\da-fA-F]{4}){3}-[\da-fA-F]{12}$`;
/** Ids stand in paths: dots or a slash would name another endpoint. Halves of surrogate pairs stand in none. */
const textPattern = String.raw`^(?!\.)[^/\\?#%\x00-\x1f\x7f\ud800-\udfff]{1,255}$`;

/** The pattern of ids as texts. */
export function idPattern({ type, format, pattern }: Schema): string {
  if (isNumber({ type })) return numberPattern;
  return pattern ?? (format === 'uuid' ? uuidPattern : textPattern);
}

/** The pattern of the ids of a kind: that in the path of its GET, or that of its property. */
export function idPatternOf(kind: string, { endpoints, types }: Contract): string {
  const get = endpoints.find((endpoint) => endpoint.does === 'get' && endpoint.kind === kind);
  return idPattern(get?.id?.schema ?? types.get(kind)?.properties.id ?? {});
}

export function isNumber({ type }: Pick<Schema, 'type'>): boolean {
  return ['integer', 'number'].includes(String([type].flat()[0]));
}

/** The property holds ids that are numbers of JSON. */
export function holdsNumberId(field: string, property: Schema): boolean {
  const value = property.items ?? property;
  return isNumber(value) && (field === 'id' || value['x-reference'] !== undefined);
}

/** Places of a body with ids that are numbers. */
export function numberIdsIn(schema: string, schemas: Contract['schemas'], above: readonly string[] = []): string[][] {
  if (above.includes(schema)) return [];
  const properties = schemaNamed(schemas, schema)?.properties ?? {};
  return Object.entries(properties).flatMap(([field, property]) => {
    if (holdsNumberId(field, property)) return [[field]];
    const embedded = embeddedIn(property);
    const below = embedded ? numberIdsIn(embedded, schemas, [...above, schema]) : [];
    return below.map((path) => [field, ...path]);
  });
}

/** An id must fit one place of a path, and a kind has ids of one form. */
export function idMistakes({ endpoints, types }: Contract): string[] {
  return endpoints.flatMap(({ at, id, does, kind }) => {
    if (!id) return [];
    const place = `${at}.parameters.${id.name}.schema`;
    const own = types.get(kind)?.properties.id;
    const get = endpoints.find((other) => other.does === 'get' && other.kind === kind);
    const differs = own && does === 'get' && isNumber(own) !== isNumber(id.schema);
    return [
      ...(does === 'get' && get?.at !== at ? [`${at}: ${get?.at} gives a ${kind} by id too; leave one out`] : []),
      ...patternMistakes(`${place}.pattern`, idPattern(id.schema)),
      ...(differs ? [`${place}.type: ${kind}.id is ${own.type}, not ${id.schema.type}; x-id names another`] : []),
    ];
  });
}

function patternMistakes(at: string, pattern: string): string[] {
  if (!/^\^.*\$$/.test(pattern)) return [`${at}: must begin with ^ and end with $`];
  try {
    const taken = ['', '.', '..', 'a/b', '1/2', 'a?b', 'a#b'].find((text) => new RegExp(pattern).test(text));
    return taken === undefined ? [] : [`${at}: takes "${taken}", which names another path`];
  } catch {
    return [`${at}: no regular expression`];
  }
}
