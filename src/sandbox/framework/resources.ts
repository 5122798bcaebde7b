import { readdirSync } from 'node:fs';
import type { Endpoint } from './endpoint.ts';
import type { TableIndexes } from './store.ts';
import type { Seed } from './world.ts';

/** The exports of a file beside `server.ts`; one that keeps no rows has no `tables`. */
interface Resource {
  endpoints: Endpoint[];
  tables?: TableIndexes;
}

/** Every file beside `server.ts` is a resource. Its rows in a new store come from the file of the same name in `seed/`. */
const resources = await importAll<Resource>(new URL('../', import.meta.url));

export const endpoints: Endpoint[] = resources.flatMap((resource) => resource.endpoints);
export const tables: TableIndexes = Object.assign({}, ...resources.map((resource) => resource.tables));
export const seeds = (await importAll<{ seed: Seed<unknown> }>(new URL('../seed/', import.meta.url))).map(
  ({ seed }) => seed,
);

function importAll<Exports>(folder: URL): Promise<Exports[]> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts') && name !== 'server.ts');
  return Promise.all(names.toSorted().map((name) => import(new URL(name, folder).href)));
}
