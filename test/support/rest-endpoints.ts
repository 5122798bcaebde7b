import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

interface Document {
  paths: Record<string, { get?: { operationId: string } }>;
}

const document: Document = parse(
  readFileSync(new URL('../../schema/rest-service.openapi.yaml', import.meta.url), 'utf8'),
);
const reads = Object.entries(document.paths).flatMap(([path, { get }]): [string, string][] =>
  get ? [[get.operationId, path]] : [],
);

/** Paths of the lists by root field: `listFarmers` is the field `farmers`. */
export const listPaths: Readonly<Record<string, string>> = Object.fromEntries(
  reads.flatMap(([name, path]) => (name.startsWith('list') ? [[uncapitalized(name.slice(4)), path]] : [])),
);

/** Paths of the resources that the service gives by id, without the id, by GraphQL type: `getFarmer` gives a `Farmer`. */
export const resourcePaths: Readonly<Record<string, string>> = Object.fromEntries(
  reads.flatMap(([name, path]) => (name.startsWith('get') ? [[name.slice(3), path.replace('{hashid}/', '')]] : [])),
);

export function uncapitalized(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
