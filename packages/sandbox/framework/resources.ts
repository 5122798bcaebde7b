import { readdirSync } from 'node:fs';
import { extname } from 'node:path';
import type { Endpoint, Endpoints } from './endpoint.ts';
import type { TableIndexes } from './store.ts';
import type { Seed } from './world.ts';

/** The exports of a file beside `server.ts`. A resource without rows has no `tables`. */
interface Resource {
  endpoints: Endpoints;
  tables?: TableIndexes;
}

/** `.js` in an installed gateway. */
const extension = extname(import.meta.url);
const noResources = new Set(['index', 'server'].map((name) => name + extension));

/** Every other file beside `server.ts` is a resource. The file of the same name in `seed/` writes its first rows. */
const resources = await importAll<Resource>(new URL('../', import.meta.url));

export const endpoints: (Endpoint & { name: string })[] = resources.flatMap((resource) =>
  Object.entries(resource.endpoints).map(([name, endpoint]) => ({ ...endpoint, name })),
);
export const tables: TableIndexes = Object.assign({}, ...resources.map((resource) => resource.tables));
export const seeds = (await importAll<{ seed: Seed<unknown> }>(new URL('../seed/', import.meta.url))).map(
  ({ seed }) => seed,
);

/** Imports one file after the other, because Vitest can evaluate a module twice that two imports reach at once. */
async function importAll<Exports>(folder: URL): Promise<Exports[]> {
  const modules: Exports[] = [];
  for (const name of readdirSync(folder).toSorted()) {
    if (name.endsWith(extension) && !noResources.has(name)) modules.push(await import(new URL(name, folder).href));
  }
  return modules;
}
