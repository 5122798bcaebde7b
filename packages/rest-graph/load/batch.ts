import type { Histogram } from '@gateway/base';
import DataLoader from 'dataloader';

/** Loads each key once in a request. Keys of the same tick form a batch. */
export interface Loader<Key, Value> {
  load(key: Key): Promise<Value>;
}

/** Observes how many keys a batch has. */
export type BatchSizes = Pick<ReturnType<Histogram<'loader'>['of']>, 'observe'>;

/**
 * `load` gets the keys of a tick and returns a promise for each. No key waits for another, or fails with it. Equal keys,
 * and those of the same `nameOf`, are one. `sizes` observes each batch.
 */
export function loadTogether<Key, Value>(
  load: (keys: readonly Key[]) => Promise<Value>[],
  sizes: BatchSizes,
  nameOf?: (key: Key) => string,
): Loader<Key, Value> {
  // DataLoader resolves each key with its item of the batch. An item that is a promise settles the key.
  const batch = async (keys: readonly Key[]) => {
    sizes.observe(keys.length);
    return load(keys) as unknown as Value[];
  };
  return new DataLoader<Key, Value, unknown>(batch, nameOf && { cacheKeyFn: nameOf });
}
