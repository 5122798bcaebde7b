import { seeds, tables } from './resources.ts';
import { Store } from './store.ts';
import { World } from './world.ts';

/** The seeded store, once one was made: a copy takes a fraction of the time, and tests start hundreds. */
let seededInMemory: Uint8Array | undefined;

/** The store of `folder`, or one in memory where that is undefined. An empty one is filled with one fixed world. */
export function openStore(folder: string | undefined): Store {
  const store = new Store(folder, tables);
  if (folder === undefined && seededInMemory) {
    store.load(seededInMemory);
    return store;
  }
  // In one transaction, so that a process that is killed meanwhile leaves the store empty.
  store.transaction(() => {
    if (store.count('user', []) > 0) return;
    const world = new World(store);
    for (const seed of seeds) world.rowsOf(seed);
  });
  if (folder === undefined) seededInMemory = store.save();
  return store;
}
