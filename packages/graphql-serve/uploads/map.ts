import type { Readable } from 'node:stream';
import { badRequest, isObject, parseJson } from '@gateway/base';
import { Upload } from 'graphql-upload-minimal';

/** The value of an `Upload` argument: the FileUpload of graphql-upload-minimal, and its size. */
export interface UploadedFile {
  /** As the client wrote it (without folders); may be empty. */
  filename: string;
  fieldName: string;
  /** As the client wrote it, without parameters. */
  mimetype: string;
  encoding: string;
  /** Bytes: between `min` and `max`, which are equal when the size is exact. */
  size: { min: number; max: number };
  /**
   * The content, to be read once. The stream ends only if the whole request was well-formed and within the limits.
   * Otherwise it is destroyed with PAYLOAD_TOO_LARGE or BAD_REQUEST. A reader that destroys it gives up the file.
   */
  createReadStream(): Readable;
}

/** The operation of a multipart request with an `Upload` in the place of its file. `part`: the name of the file's part. */
export interface Placement {
  operations: Record<string, unknown>;
  part: string;
  /** `resolve` is what the library's own request reader calls; its types leave it out. */
  upload: Upload & { resolve(file: UploadedFile): void };
}

/**
 * Reads the fields `operations` and `map` of the GraphQL multipart request spec, for one operation with one file.
 * Throws BAD_REQUEST (HTTP 400).
 */
export function placeUpload(operationsText: string, mapText: string): Placement {
  const operations = parseObject('operations', operationsText);
  const { part, path } = soleEntry(parseObject('map', mapText));
  const upload = new Upload() as Placement['upload'];
  const { holder, key } = findNull(operations, path);
  holder[key] = upload;
  return { operations, part, upload };
}

function parseObject(field: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw badRequest(`Field "${field}" is not JSON: ${(error as Error).message}`);
  }
  if (Array.isArray(value) && field === 'operations')
    throw badRequest('Field "operations" is a list: send one operation per request.');
  if (!isObject(value)) throw badRequest(`Field "${field}" is not a JSON object.`);
  return value;
}

function soleEntry(map: Record<string, unknown>): { part: string; path: string } {
  const [entry, second] = Object.entries(map);
  if (!entry) throw badRequest('Field "map" names no file: send an operation without one as application/json.');
  if (second) throw badRequest('Field "map" names more than one file: send one per request.');
  const [part, paths] = entry;
  if (!Array.isArray(paths) || typeof paths[0] !== 'string') {
    throw badRequest('Field "map" does not have the form {"<part>": ["variables.<path>"]}.');
  }
  if (paths.length > 1) throw badRequest('Field "map" sends one file to more than one place.');
  return { part, path: paths[0] };
}

/** Names that lead from a JSON value to prototypes: a write to one would change every request. */
const inheritedNames = new Set(['__proto__', 'constructor', 'prototype']);

function findNull(operations: Record<string, unknown>, path: string): { holder: Record<string, unknown>; key: string } {
  const [root, ...keys] = path.split('.');
  const last = keys.pop();
  if (root !== 'variables' || last === undefined) {
    throw badRequest(`Path "${path}" of field "map" does not start with "variables.".`);
  }
  let holder: unknown = operations;
  for (const key of [root, ...keys]) holder = ownValue(holder, key, path);
  if (ownValue(holder, last, path) !== null) {
    throw badRequest(`Path "${path}" of field "map" leads to a value that is not null.`);
  }
  return { holder: holder as Record<string, unknown>, key: last };
}

function ownValue(holder: unknown, key: string, path: string): unknown {
  if (typeof holder !== 'object' || !holder || inheritedNames.has(key) || !Object.hasOwn(holder, key)) {
    throw badRequest(`Path "${path}" of field "map" is not found in field "operations".`);
  }
  return (holder as Record<string, unknown>)[key];
}
