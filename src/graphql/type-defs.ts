import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../schema/', import.meta.url);
const rootFile = 'root.graphql';

/** The SDL of schema/*.graphql as one text: root.graphql, then the others by name. */
export function typeDefs(): string {
  const others = readdirSync(folder).filter((file) => file.endsWith('.graphql') && file !== rootFile);
  return [rootFile, ...others.sort()].map((file) => readFileSync(new URL(file, folder), 'utf8')).join('\n');
}
