import { existsSync, readFileSync } from 'node:fs';
import type { Peer } from './peers.ts';
import { root } from './processes.ts';

/** `ops/<name>.graphql`. */
export const operationNames = ['small', 'page', 'deep', 'catalog', 'idonly'] as const;
export type OperationName = (typeof operationNames)[number];

/** The cases of a comparison: each operation, and one operation for clients that accept a coding. */
export const cases = [...operationNames, 'deep+gzip'] as const;

/** The Accept-Encoding of a case, if it has one. */
export function codingOf(name: string): string | undefined {
  return name.split('+')[1];
}

/** The document that a peer is sent for an operation. */
export function documentFor({ ops }: Peer, measured: string): string {
  const [name] = measured.split('+');
  const folders = ops ? [ops, 'ops'] : ['ops'];
  const path = folders.map((folder) => `${root}${folder}/${name}.graphql`).find((file) => existsSync(file));
  if (!path) throw new Error(`There is no ops/${name}.graphql.`);
  return readFileSync(path, 'utf8').trim();
}
