import { argumentOf, type Contract, type Endpoint, type ResourceType, scalarOf } from '@gateway/contract/codegen';
import { z } from 'zod';

/** The parameter of a list that asks for the rows that have changed after a time. */
export const changesKey = z.string();

/** The argument of the list that stands for this parameter. */
export function changesOf({ keys, filters }: Endpoint): string | undefined {
  const filter = filters.find(({ name }) => name === keys['x-changes']);
  return filter && argumentOf(filter);
}

export function changesMistakes({ endpoints }: Contract): string[] {
  return endpoints.flatMap((endpoint) => {
    const { at, filters, keys } = endpoint;
    const changes = keys['x-changes'];
    if (changes === undefined) return [];
    const filter = filters.find(({ name }) => name === changes);
    return [
      ...(filter && scalarOf(filter.schema) === 'DateTime'
        ? []
        : [`${at}.x-changes: the list has no parameter ${changes} that is a time`]),
      ...((keys['x-holders'] ?? keys['x-candidates']) ? [] : [`${at}.x-changes: needs x-holders or x-candidates`]),
    ];
  });
}

/** Writes that may change rows of the list: those of its kind, and of kinds that the properties embed. */
export function writesOf({ endpoints, types }: Contract, list: Endpoint, embedded: readonly string[]): string[] {
  const kinds = new Set([list.kind, ...embedded.map((property) => typeIn(types.get(list.kind), property))]);
  return endpoints
    .filter(({ does, kind, invalidates }) => does === 'write' && (kinds.has(kind) || invalidates.includes(list.name)))
    .map(({ name }) => name);
}

/** The type of the object that a property embeds or refers to. */
export function typeIn(type: ResourceType | undefined, property: string): string | undefined {
  return type?.embedded[property] ?? type?.references[property]?.to;
}

/** The type of the values of a property. `author.name` is one of the object that `author` embeds. */
export function formAt(contract: Contract, type: string | undefined, place: string): string | undefined {
  const [property = '', ...below] = place.split('.');
  const { properties = {} } = contract.types.get(type ?? '') ?? {};
  if (below.length > 0) return formAt(contract, typeIn(contract.types.get(type ?? ''), property), below.join('.'));
  const schema = properties[property];
  return !schema || schema.items || schema.$ref || schema.oneOf ? undefined : scalarOf(schema);
}

/** `copyHolder` → `CopyHolder`. */
export function typeNameOf(field: string): string {
  return field.charAt(0).toUpperCase() + field.slice(1);
}
