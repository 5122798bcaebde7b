import { seeds, tables } from './resources.ts';
import { Store } from './store.ts';
import { World } from './world.ts';

/** The first seeded store in memory. Others copy it in a fraction of the time, because tests start hundreds. */
let seededInMemory: Uint8Array | undefined;

/** Opens the store of `folder`, or one in memory without a folder. The seeds fill an empty store. */
export function openStore(folder: string | undefined): Store {
  const store = new Store(folder, tables);
  if (folder === undefined && seededInMemory) {
    store.load(seededInMemory);
    return store;
  }
  // One transaction, so that a process that is killed meanwhile leaves the store empty.
  store.transaction(() => {
    if (store.count('user', []) > 0) return;
    const world = new World(store);
    for (const seed of seeds) world.rowsOf(seed);
  });
  if (folder === undefined) seededInMemory = store.save();
  return store;
}
