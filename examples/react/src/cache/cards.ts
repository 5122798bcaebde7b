import type { Row } from './lists.ts';

/** The objects of a cache, by their keys. A field with another object gives the key of that object. */
export interface CachedObjects {
  keys(): Iterable<string>;
  read(key: string, field: string): unknown;
  /** Makes an EntityCard inactive. */
  end(assignment: string): void;
  /** Puts another object, or null, into a field. */
  link(key: string, field: string, other: string | null): void;
}

/**
 * A card has one holder, and a holder has one card. A new assignment ends the earlier ones of both, which no answer says.
 * `assignment` is the key of the row.
 */
export function assignCard({ keys, read, end, link }: CachedObjects, assignment: string, { entity_id }: Row): void {
  const card = read(assignment, 'card');
  const cached = [...keys()].filter((key) => key !== assignment);
  // A field that the app has not read is the field of no card, and of no holder.
  const isSame = (key: string, field: string, value: unknown) => value != null && read(key, field) === value;
  const holders = cached.filter((key) => read(key, 'entity_card') !== undefined);
  const holder = holders.find((key) => isSame(key, 'id', entity_id));
  const ended = cached.filter(
    (key) =>
      read(key, '__typename') === 'EntityCard' && (isSame(key, 'card', card) || isSame(key, 'entity_id', entity_id)),
  );
  for (const key of ended) end(key);
  for (const key of holders) if (ended.includes(String(read(key, 'entity_card')))) link(key, 'entity_card', null);
  if (holder) link(holder, 'entity_card', assignment);
}
