import type { Contract, Endpoint, ResourceType } from '@gateway/contract/codegen';
import { z } from 'zod';

/** The parameter of a list that asks for the rows that have changed after a time. */
export const changesKey = z.string();

export function changesOf({ keys }: Endpoint): string | undefined {
  return keys['x-changes'] as string | undefined;
}

export function changesMistakes({ endpoints }: Contract): string[] {
  return endpoints.flatMap((endpoint) => {
    const { at, filters, keys } = endpoint;
    const changes = changesOf(endpoint);
    if (changes === undefined) return [];
    const filter = filters.find(({ name }) => name === changes);
    return [
      ...(filter?.schema['x-scalar'] === 'DateTime'
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

/** The value is a property of the type. */
export function hasProperty({ types }: Contract, type: string | undefined, property: string): boolean {
  return type !== undefined && property in (types.get(type)?.properties ?? {});
}

/** `copyHolder` → `CopyHolder`. */
export function typeNameOf(field: string): string {
  return field.charAt(0).toUpperCase() + field.slice(1);
}
