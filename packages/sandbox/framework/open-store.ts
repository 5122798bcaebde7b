import { seedRows } from '../rows/seed-rows.ts';
import type { SandboxSeed } from './options.ts';
import { seeds, tables } from './resources.ts';
import { Store } from './store.ts';
import { World } from './world.ts';

/** The rows that a test asks for, and the time that they end before. Without them, the world of `npm start`. */
export interface FirstRows {
  seed: SandboxSeed;
  end: string;
}

/** New stores in memory. Others copy them in a fraction of the time, because tests start hundreds. */
const saved = new Map<string, Uint8Array>();
const mostSaved = 20;
const keyOf = (rows: FirstRows | undefined) => JSON.stringify(rows ?? null);

/** Opens the store of `folder`, or one in memory without a folder. An empty store gets its first rows. */
export function openStore(folder: string | undefined, rows: FirstRows | undefined): Store {
  if (folder === undefined) return Store.copyOf(saveWorld(rows));
  const store = Store.open(folder, tables);
  fill(store, rows);
  return store;
}

/** All rows of a new store in memory. */
export function saveWorld(rows?: FirstRows): Uint8Array {
  const key = keyOf(rows);
  let world = saved.get(key);
  if (!world) {
    const store = Store.open(undefined, tables);
    fill(store, rows);
    world = store.save();
    store.close();
    const oldest = [...saved.keys()].find((other) => other !== keyOf(undefined));
    if (saved.size >= mostSaved && oldest !== undefined) saved.delete(oldest);
    saved.set(key, world);
  }
  return world;
}

/** Takes the bytes that `saveWorld` gave in another process, so that this one need not build the world of `npm start`. */
export function presetWorld(world: Uint8Array): void {
  saved.set(keyOf(undefined), world);
}

function fill(store: Store, rows: FirstRows | undefined): void {
  // One transaction, so that a process that is killed meanwhile leaves the store empty.
  store.transaction(() => {
    if (store.count('user', []) > 0) return;
    const world = new World(store, { isBare: rows !== undefined });
    if (rows) seedRows(world, rows.seed, rows.end);
    else for (const seed of seeds) world.rowsOf(seed);
  });
}
