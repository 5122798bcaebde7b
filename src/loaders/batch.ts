import DataLoader from 'dataloader';

/** Loads a key once in a request; keys asked for in the same tick come together. */
export interface Loader<Key, Value> {
  load(key: Key): Promise<Value>;
}

/** Observes how many keys a batch has. */
export interface BatchSizes {
  observe(size: number): void;
}

/**
 * `load` gets the keys of a tick and gives a promise for each; a key that is there does not wait for its neighbours, and
 * one that fails fails alone. `nameOf`: what makes two keys the same. `sizes` hears of each batch.
 */
export function loadTogether<Key, Value>(
  load: (keys: readonly Key[]) => Promise<Value>[],
  nameOf: (key: Key) => string,
  sizes: BatchSizes,
): Loader<Key, Value> {
  // A DataLoader resolves each key with its item of the batch, and a promise that is resolved with a promise follows it.
  const batch = async (keys: readonly Key[]) => {
    sizes.observe(keys.length);
    return load(keys) as unknown as Value[];
  };
  return new DataLoader<Key, Value, string>(batch, { cacheKeyFn: nameOf });
}
