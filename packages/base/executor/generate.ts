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
export function generateReader(fields: readonly FieldReader[], characters: number): ReadObject {
  const properties = fields.map(({ key, name, isText }, index) => {
    const read = `read[${index}](row, run)`;
    const isString = (source: string) => `typeof (value = ${source}) === 'string'`;
    const either = isText ? `${isString(`row[${JSON.stringify(name)}]`)} || ${isString(read)}` : isString(read);
    const value = `${either} ? (text += value.length, value) : value`;
    // Without brackets this key would set the prototype.
    return `${key === '__proto__' ? '["__proto__"]' : JSON.stringify(key)}: ${value}`;
  });
  const object = `{ ${properties.join(', ')} }`;
  const code = `return (row, run) => { let value, text = ${characters}; const object = ${object}; run.answer.addText(text); return object; };`;
  const generated = new Function('read', code) as (read: ReadField[]) => ReadObject;
  return generated(fields.map(({ read }) => read));
}
