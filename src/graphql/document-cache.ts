import { LRUCache } from 'lru-cache';

export const maxDocuments = 2_000;

/** A cache with an entry for each document. `lengthOf`: characters that an entry counts for, at least 1. */
export function documentCache<Value extends object | boolean>(
  maxCharacters: number,
  lengthOf: (value: Value, key: string) => number,
): LRUCache<string, Value> {
  return new LRUCache({ max: maxDocuments, maxSize: maxCharacters, sizeCalculation: lengthOf });
}
