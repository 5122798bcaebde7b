import { LRUCache } from 'lru-cache';
import { isObject } from '../lib/json.ts';

/** Parts of all objects, an id of about 10 characters each. */
const maxParts = 100_000;

/** Objects that the service gives only inside others. `list` is the key of their parts, `key` one that others lack. */
const tables = {
  Premium: { list: 'options', key: 'calculation_type' },
  Form: { list: 'fields', key: 'form_type' },
} as const;

export type PartTable = keyof typeof tables;

/** An object that an answer has shown. */
interface Learnt {
  table: PartTable;
  id: string;
}

/** Ids of parts, by the ids and keys that name them. */
export type Parts = ReadonlyMap<string, string>;

/** Options of premiums, and fields of forms. Callers share none of them. */
export class PartCache {
  readonly #parts = new LRUCache<string, Parts>({
    maxSize: maxParts,
    sizeCalculation: (parts) => parts.size + 1,
  });

  /** Each answer that shows the object gives another map. */
  get(callerDigest: string, table: PartTable, id: string): Parts | undefined {
    return this.#parts.get(nameOf(callerDigest, table, id));
  }

  /** Notes the premiums and forms anywhere in an answer, and returns their ids. */
  learn(callerDigest: string, answer: unknown, learnt: Learnt[] = []): Learnt[] {
    if (Array.isArray(answer)) for (const item of answer) this.learn(callerDigest, item, learnt);
    if (!isObject(answer)) return learnt;
    for (const table of Object.keys(tables) as PartTable[]) {
      const { list, key } = tables[table];
      const parts = answer[list];
      if (!Array.isArray(parts) || !(key in answer)) continue;
      const ids = new Map<string, string>();
      for (const part of parts.filter(isObject))
        for (const name of [part.id, part.key]) if (name != null) ids.set(String(name), String(part.id ?? name));
      const id = String(answer.id);
      this.#parts.set(nameOf(callerDigest, table, id), ids);
      learnt.push({ table, id });
    }
    for (const value of Object.values(answer)) if (typeof value === 'object') this.learn(callerDigest, value, learnt);
    return learnt;
  }
}

function nameOf(callerDigest: string, table: PartTable, id: string): string {
  return `${callerDigest} ${table} ${id}`;
}
