import { type ApolloCache, InMemoryCache, isReference, type Reference } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import { assignCard } from './cards.ts';
import { type Args, afterWrite, type CachedList, type Created, createdRows, lists, type Row } from './lists.ts';

/** The cache of one caller. */
export function createCache(possibleTypes: Record<string, string[]>): InMemoryCache {
  const fields = Object.fromEntries(Object.values(lists).map(({ field }) => [field, relayStylePagination(filtersOf)]));
  return new InMemoryCache({ possibleTypes, typePolicies: { Query: { fields } } });
}

/** The `update` of all mutations, as an option of the client. Puts what they have created into the lists of the cache. */
export function placeCreated() {
  const createdBy = createdRows();
  return (cache: ApolloCache, { data }: { data?: object | null | undefined }) => {
    for (const created of createdBy(data)) {
      addToLists(cache, created);
      if (created.row.__typename === 'EntityCard') endEarlierCards(cache, created.row);
    }
  };
}

/** Pages by cursor become one list for each filter. A page by offset stays a list of its own. */
const filtersOf = (args: Args | null) => Object.keys(args ?? {}).filter((name) => !cursorArgs.includes(name));
const cursorArgs = ['first', 'after', 'last', 'before'];

function addToLists(cache: ApolloCache, created: Created): void {
  const { row, rule } = created;
  const node: Reference = { __ref: `${row.__typename}:${row.id}` };
  for (const [id, field, of] of [['ROOT_QUERY', rule.field, {}], ...(rule.backFields?.(row) ?? [])] as const) {
    cache.modify<Record<string, CachedList<Reference>>>({
      id,
      fields: {
        [field]: (list, { storeFieldName, readField, DELETE }) =>
          afterWrite(created, { ...argsOf(storeFieldName), ...of }, list as CachedList<Reference>, {
            node,
            read: (other, name) => readField(name, other),
          }) ?? DELETE,
      },
    });
  }
}

/** The arguments of a list are part of its name in the cache. */
const argsOf = (storeFieldName: string): Args => JSON.parse(/\{.*\}/s.exec(storeFieldName)?.[0] ?? '{}');

function endEarlierCards(cache: ApolloCache, row: Row): void {
  const stored = cache.extract(true) as Record<string, Record<string, unknown>>;
  const modify = (id: string, field: string, value: unknown) => cache.modify({ id, fields: { [field]: () => value } });
  const objects = {
    keys: () => Object.keys(stored),
    read: (key: string, field: string) => keyOf(stored[key]?.[field]),
    end: (key: string) => void modify(key, 'is_active', false),
    link: (key: string, field: string, other: string | null) => void modify(key, field, other && { __ref: other }),
  };
  assignCard(objects, `EntityCard:${row.id}`, row);
}

const keyOf = (value: unknown) => (isReference(value as object) ? (value as Reference).__ref : value);
