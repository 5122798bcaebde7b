import type { ReadObject } from './complete.ts';
import type { Run } from './run.ts';

export type ReadField = (row: Record<string, unknown>, run: Run) => unknown;

export interface FieldReader {
  /** In the answer. */
  key: string;
  /** Of the field. */
  name: string;
  read: ReadField;
  /** Where the row holds a text under that name, it is the value. */
  isText: boolean;
}

/**
 * Code for one selection: an object literal, in which each field has its own place that learns the shape of the rows. A
 * loop over fields has one place for them all, which can learn nothing.
 */
export function generateReader(fields: readonly FieldReader[]): ReadObject {
  const properties = fields.map(({ key, name, isText }, index) => {
    const read = `read[${index}](row, run)`;
    const value = isText ? `typeof (text = row[${JSON.stringify(name)}]) === 'string' ? text : ${read}` : read;
    // In brackets it is a key like any other; without them it would be the prototype.
    return `${key === '__proto__' ? '["__proto__"]' : JSON.stringify(key)}: ${value}`;
  });
  const code = `return (row, run) => { let text; return { ${properties.join(', ')} }; };`;
  const generated = new Function('read', code) as (read: ReadField[]) => ReadObject;
  return generated(fields.map(({ read }) => read));
}
