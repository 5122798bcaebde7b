import type { ReadObject } from './complete.ts';
import type { Run } from './run.ts';

export type ReadField = (row: Record<string, unknown>, run: Run) => unknown;

export interface FieldReader {
  /** Key in the answer. */
  key: string;
  /** Name of the field. */
  name: string;
  read: ReadField;
  /** A text that the row holds under that name is the value. */
  isText: boolean;
}

/**
 * Writes code for one selection: an object literal. Each property of the literal has its own inline cache in V8. A loop over
 * fields would have one inline cache for all of them.
 */
export function generateReader(fields: readonly FieldReader[]): ReadObject {
  const properties = fields.map(({ key, name, isText }, index) => {
    const read = `read[${index}](row, run)`;
    const value = isText ? `typeof (text = row[${JSON.stringify(name)}]) === 'string' ? text : ${read}` : read;
    // Without brackets this key would set the prototype.
    return `${key === '__proto__' ? '["__proto__"]' : JSON.stringify(key)}: ${value}`;
  });
  const code = `return (row, run) => { let text; return { ${properties.join(', ')} }; };`;
  const generated = new Function('read', code) as (read: ReadField[]) => ReadObject;
  return generated(fields.map(({ read }) => read));
}
