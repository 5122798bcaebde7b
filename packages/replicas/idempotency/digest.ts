import { hash } from 'node:crypto';
import { badRequest } from '@gateway/base';
import { Upload } from 'graphql-upload-minimal';

/**
 * A SHA-256 digest of a JSON value, in base64url. The order of an object's keys does not count, and every file is equal.
 * @throws BAD_REQUEST (400) for a value that is nested too deep.
 */
export function digestOf(value: unknown): string {
  return hash('sha256', JSON.stringify(sorted(value, maxDepth)), 'base64url');
}

/** No declared variable is nested so deep, but a client may send variables that its operation does not declare. */
const maxDepth = 1_000;

/** `levels`: of nested values that are left, because a value of a client may exceed the stack. */
function sorted(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Upload) return 'a file';
  if (levels < 0) throw badRequest('The variables are nested too deep.');
  if (Array.isArray(value)) return value.map((item) => sorted(item, levels - 1));
  // A value of a class, which a scalar may make.
  if (Object.getPrototypeOf(value) instanceof Object) return 'toJSON' in value ? value : String(value);
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part, levels - 1)]));
}
