import { isObject } from '@gateway/base';
import type { Memory, Parts } from '@gateway/upstream';

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

/** The parts that a caller was shown of an object. Each answer that shows the object gives another map. */
export function partsOf(memory: Memory<Parts>, table: PartTable, id: string): Parts | undefined {
  return memory.get(`${table} ${id}`);
}

/** Notes the premiums and forms anywhere in an answer, and returns their ids. */
export function learnParts(memory: Memory<Parts>, answer: unknown, learnt: Learnt[] = []): Learnt[] {
  if (Array.isArray(answer)) for (const item of answer) learnParts(memory, item, learnt);
  if (!isObject(answer)) return learnt;
  for (const table of Object.keys(tables) as PartTable[]) {
    const { list, key } = tables[table];
    const parts = answer[list];
    if (!Array.isArray(parts) || !(key in answer)) continue;
    const ids = new Map<string, string>();
    for (const part of parts.filter(isObject))
      for (const name of [part.id, part.key]) if (name != null) ids.set(String(name), String(part.id ?? name));
    const id = String(answer.id);
    memory.set(`${table} ${id}`, ids);
    learnt.push({ table, id });
  }
  for (const value of Object.values(answer)) if (typeof value === 'object') learnParts(memory, value, learnt);
  return learnt;
}
