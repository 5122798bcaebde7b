import DataLoader from 'dataloader';

/** Loads a key once in a request; keys asked for in the same tick come together. */
export interface Loader<Key, Value> {
  load(key: Key): Promise<Value>;
}

/** Keys of a batch are loaded side by side, and fail each for itself. `nameOf`: what makes two keys the same. */
export function loadEach<Key, Value>(
  load: (key: Key) => Promise<Value>,
  nameOf: (key: Key) => string,
): Loader<Key, Value> {
  return loadTogether((keys) => Promise.all(keys.map((key) => load(key).catch((error: Error) => error))), nameOf);
}

/** A batch is loaded as one; what fails in it is told key by key. */
export function loadTogether<Key, Value>(
  load: (keys: readonly Key[]) => Promise<(Value | Error)[]>,
  nameOf: (key: Key) => string,
): Loader<Key, Value> {
  return new DataLoader<Key, Value, string>(load, { cacheKeyFn: nameOf });
}
