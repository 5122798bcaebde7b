import { LRUCache } from 'lru-cache';
import { isObject } from '../lib/json.ts';

/** Parts of all objects, an id of about 10 characters each. */
const maxParts = 100_000;

/** Objects that the service gives only inside others. `list` is the key of their parts, `key` one that others lack. */
const tables = {
  Premium: { list: 'options', key: 'calculation_type' },
  Form: { list: 'fields', key: 'form_type' },
} as const;

type Table = keyof typeof tables;

/** Ids of the options of premiums, and ids and keys of the fields of forms. Callers share none of them. */
export class PartCache {
  readonly #parts = new LRUCache<string, ReadonlySet<string>>({
    maxSize: maxParts,
    sizeCalculation: (parts) => parts.size + 1,
  });

  /** Each answer that shows the object gives another set. */
  get(callerDigest: string, table: Table, id: string): ReadonlySet<string> | undefined {
    return this.#parts.get(nameOf(callerDigest, table, id));
  }

  /** Notes the premiums and forms anywhere in an answer. */
  learn(callerDigest: string, answer: unknown): void {
    if (Array.isArray(answer)) for (const item of answer) this.learn(callerDigest, item);
    if (!isObject(answer)) return;
    for (const [table, { list, key }] of Object.entries(tables)) {
      const parts = answer[list];
      if (!Array.isArray(parts) || !(key in answer)) continue;
      const names = parts.filter(isObject).flatMap((part) => [part.id, part.key].filter((name) => name != null));
      this.#parts.set(nameOf(callerDigest, table as Table, String(answer.id)), new Set(names.map(String)));
    }
    for (const value of Object.values(answer)) if (typeof value === 'object') this.learn(callerDigest, value);
  }
}

function nameOf(callerDigest: string, table: Table, id: string): string {
  return `${callerDigest} ${table} ${id}`;
}
