/** A Map, a WeakMap, or a cache. */
interface Store<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: NoInfer<Value>): unknown;
}

/** The value of a key. Made and stored where the store has none. */
export function madeOnce<Key, Value>(store: Store<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  let value = store.get(key);
  if (value === undefined) {
    value = make(key);
    store.set(key, value);
  }
  return value;
}

/** `Map.groupBy`, which Node 20 lacks. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) madeOnce(groups, keyOf(item), newGroup).push(item);
  return groups;
}

const newGroup = () => [];
