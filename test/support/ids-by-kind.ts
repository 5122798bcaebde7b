import type { ResourceType } from '../../packages/contract/codegen/contract.ts';
import type { Answer } from './client.ts';
import { describedContract } from './described-contract.ts';

type Json = Answer['data'];

const { endpoints: all, types } = describedContract();
const endpoints = all.filter(({ dialect }) => dialect === undefined);

/** `EntityCard` → `entityCard`. */
export const idName = (kind: string) => kind.charAt(0).toLowerCase() + kind.slice(1);

/** Finds an id of each kind as a client does: in lists, in their objects, and in references. */
export async function idsByKind(read: (path: string) => Promise<Json>): Promise<Record<string, string>> {
  const found = { owned: {}, shown: {}, named: {} } as Record<'owned' | 'shown' | 'named', Record<string, string>>;
  for (const { path } of endpoints.filter(({ does }) => does === 'list')) {
    const { results } = await read(`${path}?limit=100&offset=0`);
    const { kind } = endpoints.find((endpoint) => endpoint.path === path)!;
    for (const row of results) note(types.get(kind)!, row, 'owned');
  }
  for (const { path, kind } of endpoints.filter(({ does }) => does === 'get')) {
    const id = found.owned[idName(kind)] ?? found.named[idName(kind)];
    if (id) note(types.get(kind)!, await read(path.replace('{hashid}', id)), 'owned');
  }
  return { ...found.named, ...found.shown, ...found.owned };

  /** `owned`: in its list, or embedded in what holds it; `shown`: beside the id that refers to it. */
  function note(type: ResourceType, object: Json, how: 'owned' | 'shown'): void {
    const lists = Object.keys(type.embedded).map((field) => object[field]);
    // A premium without options and a form without fields serve no request.
    if (lists.some((list) => Array.isArray(list) && list.length === 0)) return;
    found[how][idName(type.name)] ??= object.id;
    for (const [field, kind] of Object.entries(type.embedded)) {
      for (const item of [object[field]].flat()) if (item) note(types.get(kind)!, item, how);
    }
    for (const [field, { to, details, probeFirst }] of Object.entries(type.references)) {
      const twin = details && object[details];
      if (twin) note(types.get(to)!, twin, 'shown');
      for (const id of [object[field]].flat()) {
        if (typeof id === 'string') found.named[idName(probeFirst ?? to)] ??= id;
      }
    }
    for (const [field, property] of Object.entries(type.properties)) {
      const to = property['x-reference']?.to;
      if (to && typeof object[field] === 'string') found.named[idName(to)] ??= object[field];
    }
  }
}
