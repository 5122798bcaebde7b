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

/** No declared variable is nested so deep, but a client may send variables that its operation does not declare. */
const maxDepth = 1_000;

function textOf(value: unknown): string {
  if (isDeeper(value, maxDepth)) throw badRequest('The variables are nested too deep.');
  return JSON.stringify(value, (_key, part: unknown) => {
    if (part instanceof Upload) return 'a file';
    if (!isObject(part)) return part;
    // A value of a class, which a scalar may make.
    if (Object.getPrototypeOf(part) instanceof Object) return String(part);
    return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/** Takes the parts level by level, because a value of a client may exceed the stack. */
function isDeeper(value: unknown, levels: number): boolean {
  let parts = [value];
  for (let level = 0; parts.length > 0; level += 1) {
    if (level > levels) return true;
    parts = parts.flatMap((part) => {
      if (Array.isArray(part)) return part.filter(isNested);
      return isObject(part) && !(part instanceof Upload) ? Object.values(part).filter(isNested) : [];
    });
  }
  return false;
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
