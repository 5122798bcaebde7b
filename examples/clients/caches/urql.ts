import { gql } from '@urql/core';
import type { Cache, CacheExchangeOpts, FieldInfo, UpdateResolver } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { assignCard } from './cards.ts';
import { afterWrite, type CachedList, type Created, createdRows, lists, type Row } from './lists.ts';

/** Options for `cacheExchange`, with a cache for one caller. `mutations` are the names of all mutations of the app. */
export function cacheOptions(mutations: readonly string[], possibleTypes: Record<string, string[]>): CacheExchangeOpts {
  const createdBy = createdRows();
  const update: UpdateResolver = (answer, _args, cache, { fieldName }) => {
    for (const created of createdBy({ [fieldName]: answer[fieldName] })) {
      addToLists(cache, created);
      if (created.row.__typename === 'EntityCard') endEarlierCards(cache, created.row);
    }
  };
  return {
    possibleTypes,
    // The results of a push are no objects of their own.
    keys: { WriteResult: () => null, WriteError: () => null, WriteFieldError: () => null },
    resolvers: { Query: Object.fromEntries(Object.values(lists).map(({ field }) => [field, relayPagination()])) },
    // Without an entry, a mutation whose object is new to the cache drops all objects of the type.
    updates: { Mutation: Object.fromEntries(mutations.map((name) => [name, update])) },
  };
}

type Node = { __typename: string; id: string };
type List = CachedList<Node>;

function addToLists(cache: Cache, created: Created): void {
  const { row, rule } = created;
  const access = {
    node: { __typename: row.__typename ?? '', id: row.id },
    read: (node: Node, field: string) => cache.resolve({ ...node }, field),
  };
  for (const [key, field, of] of [['Query', rule.field, {}], ...(rule.backFields?.(row) ?? [])] as const) {
    const pages = cache.inspectFields(key).filter(({ fieldName }) => fieldName === field);
    // Each page reads as all pages joined: all reads come before the first change.
    const changes = pages.map((page) => {
      const fragment = fragmentOf(cache, key, page);
      const read = cache.readFragment<Record<string, List>>(fragment, key)?.[field];
      return { page, fragment, list: read && afterWrite(created, { ...page.arguments, ...of }, read, access) };
    });
    for (const { page, fragment, list } of changes) {
      if (list) cache.writeFragment(fragment, { ...entityOf(key), [field]: list });
      else cache.invalidate(key, field, page.arguments);
    }
  }
}

/** Asks for what the cache has of a page. */
function fragmentOf(cache: Cache, key: string, { fieldName, fieldKey, arguments: args }: FieldInfo) {
  const selections = {
    count: 'count',
    edges: 'edges { __typename node { __typename id } }',
    results: 'results { __typename id }',
    pageInfo: 'pageInfo { __typename hasNextPage }',
  };
  const list = cache.resolve(key, fieldKey) as string;
  const selected = Object.entries(selections).filter(([field]) => cache.resolve(list, field) !== undefined);
  const values = Object.entries(args ?? {}).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const field = values.length > 0 ? `${fieldName}(${values})` : fieldName;
  const selection = selected.map(([, text]) => text).join(' ');
  return gql(`fragment List on ${entityOf(key).__typename} { ${field} { __typename ${selection} } }`);
}

function entityOf(key: string) {
  const [__typename = '', id] = key.split(':');
  return { __typename, id };
}

const activity = gql('fragment Activity on EntityCard { is_active }');

function endEarlierCards(cache: Cache, row: Row): void {
  const objects = {
    keys: () => keysIn(cache),
    read: (key: string, field: string) => cache.resolve(key, field),
    end: (key: string) =>
      cache.writeFragment(activity, { __typename: 'EntityCard', id: cache.resolve(key, 'id'), is_active: false }),
    link: (key: string, field: string, other: string | null) => cache.link(key, field, other),
  };
  assignCard(objects, `EntityCard:${row.id}`, row);
}

/** The keys of all objects that queries have read. Graphcache has no list of them. */
function keysIn(cache: Cache): Set<string> {
  const keys = new Set(['Query']);
  for (const key of keys) {
    const values = cache.inspectFields(key).map(({ fieldKey }) => cache.resolve(key, fieldKey));
    for (const value of values.flat(3)) {
      if (typeof value === 'string' && cache.resolve(value, '__typename')) keys.add(value);
    }
  }
  return keys;
}
