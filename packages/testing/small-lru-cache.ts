import { LRUCache as Original } from 'lru-cache';

/** A cache takes its room when it is made. Room for thousands of callers is half the time that a gateway takes to start. */
const mostEntries = 2_000;

/** The same cache, with the room that a test needs. */
export class LRUCache<K extends {}, V extends {}> extends Original<K, V> {
  constructor(options: Original.Options<K, V, unknown>) {
    super(options.max === undefined ? options : { ...options, max: Math.min(options.max, mostEntries) });
  }
}
