import { type Histogram, inTurn } from '@gateway/base';
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

/** Reads that begin in one turn of the event loop: those of a page of rows. */
export const readsPerTurn = 100;

/** Reads that have begun and not ended. The service works on far fewer. */
const mostBegun = 600;

/**
 * Bounds the reads of one batch that begin together. The first begin at once. The others wait for later turns of the event
 * loop, in which other operations have their turn too.
 */
export function beginInTurns<Key, Value>(read: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const waiting: (() => void)[] = [];
  let first = 0;
  let begun = 0;
  let left = readsPerTurn;
  let isTurnAhead = false;
  const ended = () => {
    begun -= 1;
    goOn();
  };
  const begin = (key: Key): Promise<Value> => {
    left -= 1;
    begun += 1;
    const value = read(key);
    value.then(ended, ended);
    return value;
  };
  const goOn = () => {
    if (isTurnAhead || first === waiting.length || begun >= mostBegun) return;
    isTurnAhead = true;
    inTurn(() => {
      isTurnAhead = false;
      left = readsPerTurn;
      for (; first < waiting.length && left > 0 && begun < mostBegun; first += 1) waiting[first]?.();
      goOn();
    });
  };

  return (key) => {
    if (left > 0 && first === waiting.length) return begin(key);
    return new Promise((resolve) => {
      waiting.push(() => resolve(begin(key)));
      goOn();
    });
  };
}
