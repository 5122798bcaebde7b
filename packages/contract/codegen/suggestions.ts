import { isObject, type Json } from '@gateway/base';
import type { Contract } from './contract.ts';

// Guesses for somebody who begins with the document of another program. They are advice: names alone decide nothing.

const namesOf = {
  count: /^(?!.*page).*(count|total)/i,
  limit: /^(limit|size|take|(page|per)_?(size|page|limit))$/i,
  offset: /^(offset|skip|start)$/i,
  number: /^page(_?(no|num|number|index))?$/i,
};
/** The end of names such as `BookDto`. */
const ending = /(?<=[a-z\d])(D(to|TO)|Schema|Model|Read|Public|Out|Output|Response)$/;

/** The line for `x-wire` by the first list of a document in its normal form. Without such a list: the usual one. */
export function suggestedWire(document: unknown): string {
  for (const { parameters, get } of Object.values(at(document, 'paths')).map((item) => at(item))) {
    const given = [parameters, at(get).parameters].flat().map((each) => resolved(document, each));
    const [answer] = Object.values(at(get, 'responses'));
    const { properties } = resolved(document, at(answer, 'content', 'application/json', 'schema'));
    const names = Object.keys(at(properties));
    const rows = names.find((name) => at(properties, name).items);
    const count = names.find((name) => namesOf.count.test(name));
    const [limit, offset, number] = [namesOf.limit, namesOf.offset, namesOf.number].map((pattern) =>
      given.find(({ name }) => pattern.test(String(name))),
    );
    const first = /zero/i.test(String(number?.description)) ? { first: 0 } : {};
    const place = offset ? { offset: offset.name } : number && { number: number.name, ...first };
    if (rows && limit && place) return lineOf(document, { count, rows, limit: limit.name, ...place });
  }
  return lineOf(document, { count: 'count', rows: 'results', limit: 'limit', offset: 'offset' });
}

/** JSON is YAML too. */
function lineOf(document: unknown, page: object): string {
  const isFastApi = 'HTTPValidationError' in at(document, 'components', 'schemas');
  const fieldErrors = isFastApi ? { path: 'loc', message: 'msg', body: 'body' } : undefined;
  return `"x-wire": ${JSON.stringify({ page, wholeBody: ['detail'], fieldErrors })}`;
}

/** The object at the path; an empty one where there is none. */
function at(value: unknown, ...path: string[]): Json {
  const found = path.reduce((part, key) => (isObject(part) ? part[key] : undefined), value);
  return isObject(found) ? found : {};
}

function resolved(document: unknown, value: unknown): Json {
  const { $ref } = at(value);
  return typeof $ref === 'string' ? at(document, ...$ref.split('/').slice(1)) : at(value);
}

/** Types without the ending of a schema, references by the name of a kind, and properties of rows alone. */
export function suggestedKeys({ types, inputs, endpoints, schemas, wire }: Contract): string[] {
  const kinds = new Set(endpoints.filter(({ does }) => does !== 'write').map(({ kind }) => kind));
  const byWord = new Map([...kinds].map((kind) => [wordOf(kind.replace(ending, '')), kind]));
  const objects = new Set([...[...types.values()].flatMap((type) => type.schemas), ...inputs.values()]);
  const properties = [...objects].flatMap((name) =>
    Object.entries(schemas[name]?.properties ?? {}).map(
      ([property, schema]) => [`components.schemas.${name}.properties.${property}`, property, schema] as const,
    ),
  );
  const filters = endpoints.flatMap(({ at, filters }) =>
    filters.map(({ name, schema }) => [`${at}.parameters.${name}.schema`, name, schema] as const),
  );
  const named = [...types.keys()].flatMap((name) => {
    const word = name.replace(ending, '');
    return word === name || word in schemas ? [] : `components.schemas.${name}: perhaps \`x-type: ${word}\``;
  });
  const references = [...properties, ...filters].flatMap(([place, name, { type, items, 'x-reference': reference }]) => {
    const kind = byWord.get(wordOf(name.replace(/_?ids?$/i, '').replace(items ? /s$/ : /$/, '')));
    const isId = /string|integer|number/.test(String(items?.type ?? type));
    return kind && isId && !(reference ?? items?.['x-reference']) ? `${place}: perhaps \`x-reference: ${kind}\`` : [];
  });
  const ofRows = endpoints.flatMap(({ kind, response }) => {
    const rows = schemas[response]?.properties?.[wire.page.rows]?.items?.$ref ?? '';
    const properties = Object.entries(schemas[rows]?.properties ?? {});
    const alone = properties.filter(([name, { writeOnly }]) => !writeOnly && !types.get(kind)?.properties[name]);
    return alone.map(([name]) => `components.schemas.${rows}.properties.${name}: perhaps a property of ${kind} too`);
  });
  return [...named, ...references, ...new Set(ofRows)];
}

const wordOf = (name: string) => name.replaceAll('_', '').toLowerCase();
