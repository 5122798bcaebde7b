import { hash } from 'node:crypto';
import { badRequest, isObject } from '@gateway/base';
import { Upload } from 'graphql-upload-minimal';

/**
 * A SHA-256 digest of a JSON value, in base64url. The order of an object's keys does not count, and every file is equal.
 * @throws BAD_REQUEST (400) for a value that is nested too deep.
 */
export function digestOf(value: unknown): string {
  return hash('sha256', textOf(value), 'base64url');
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value, (_key, part: unknown) => {
      if (part instanceof Upload) return 'a file';
      if (!isObject(part)) return part;
      // A value of a class, which a scalar may make.
      if (Object.getPrototypeOf(part) instanceof Object) return String(part);
      return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)));
    });
  } catch (error) {
    // No declared variable exceeds the stack, but a client may send variables that its operation does not declare.
    if (error instanceof RangeError) {
      throw badRequest('The variables are nested too deep.');
    }
    throw error;
  }
}
