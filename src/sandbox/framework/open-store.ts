import type { SandboxSeed } from './options.ts';
import { seeds, tables } from './resources.ts';
import { Store } from './store.ts';
import { World } from './world.ts';

/** Stores in memory as they begin, by their seed. Others copy them in a fraction of the time, because tests start hundreds. */
const saved = new Map<string, Uint8Array>();
const mostSaved = 20;

/** Opens the store of `folder`, or one in memory without a folder. The seeds fill an empty store. */
export function openStore(folder: string | undefined, seed: SandboxSeed | undefined): Store {
  const store = new Store(folder, tables);
  if (folder === undefined) store.load(saveWorld(seed));
  else fill(store, seed);
  return store;
}

/** All rows of a new store in memory. */
export function saveWorld(seed?: SandboxSeed): Uint8Array {
  const key = JSON.stringify(seed ?? null);
  let world = saved.get(key);
  if (!world) {
    const store = new Store(undefined, tables);
    fill(store, seed);
    world = store.save();
    store.close();
    const [oldest] = saved.keys();
    if (saved.size >= mostSaved && oldest !== undefined) saved.delete(oldest);
    saved.set(key, world);
  }
  return world;
}

/** Takes what `saveWorld` gave in another process, so that the world without a seed need not be built. */
export function useSavedWorld(world: Uint8Array): void {
  saved.set(JSON.stringify(null), world);
}

function fill(store: Store, seed: SandboxSeed | undefined): void {
  // One transaction, so that a process that is killed meanwhile leaves the store empty.
  store.transaction(() => {
    if (seed !== undefined) throw new Error('seed: not there yet.');
    if (store.count('user', []) > 0) return;
    const world = new World(store);
    for (const each of seeds) world.rowsOf(each);
  });
}
