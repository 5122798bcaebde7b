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
  const { __typename = '', id } = created.row;
  const access = {
    node: { __typename, id },
    read: (node: Node, field: string) => cache.resolve({ ...node }, field),
  };
  const pages = cache.inspectFields('Query').filter(({ fieldName }) => fieldName === created.rule.field);
  // Each page reads as all pages joined: all reads come before the first change.
  const changes = pages.map((page) => {
    const query = queryOf(cache, page);
    const read = cache.readQuery<Record<string, List>>({ query })?.[page.fieldName];
    return { page, query, list: read && afterWrite(created, page.arguments ?? {}, read, access) };
  });
  for (const { page, query, list } of changes) {
    if (list) cache.updateQuery({ query }, () => ({ __typename: 'Query', [page.fieldName]: list }));
    else cache.invalidate('Query', page.fieldName, page.arguments);
  }
}

/** Asks for what the cache has of a page. */
function queryOf(cache: Cache, { fieldName, fieldKey, arguments: args }: FieldInfo) {
  const selections = {
    count: 'count',
    edges: 'edges { __typename node { __typename id } }',
    results: 'results { __typename id }',
    pageInfo: 'pageInfo { __typename hasNextPage }',
  };
  const list = cache.resolve('Query', fieldKey) as string;
  const selected = Object.entries(selections).filter(([field]) => cache.resolve(list, field) !== undefined);
  const values = Object.entries(args ?? {}).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const field = values.length > 0 ? `${fieldName}(${values})` : fieldName;
  return gql(`{ ${field} { __typename ${selected.map(([, selection]) => selection).join(' ')} } }`);
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
