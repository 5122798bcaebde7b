import relay, { type RecordProxy, type RecordSource, type RecordSourceSelectorProxy } from 'relay-runtime';
import { assignCard } from './cards.ts';
import { type Args, afterWrite, type CachedList, type Created, createdRows, lists, type Row } from './lists.ts';

// relay-runtime is CommonJS: Node gives its names through the default export.
const { ConnectionHandler } = relay;

/** For `new Environment`: an id is unique among the objects of one type alone. */
export const getDataID = ({ id }: { id?: string }, type: string) => (id === undefined ? '' : `${type}:${id}`);

/** The lists that pages of one caller have shown. Relay has them in its store for a while after their page has closed. */
export function shownLists(stored: RecordSource) {
  const createdBy = createdRows();
  const shown = new Map<string, Args>();
  return {
    /** A page calls it with the `__id` and the arguments of its list. */
    show(id: string, args: Args): void {
      for (const other of shown.keys()) if (!stored.has(other)) shown.delete(other);
      shown.set(id, args);
    },
    /** The `updater` of every mutation, by the name of its field. */
    updater: (field: string) => (store: RecordSourceSelectorProxy) => {
      for (const created of createdBy({ [field]: answerOf(store, field) })) {
        for (const [id, args] of shown) addToList(store, store.get(id), args, created);
        if (created.row.__typename === 'EntityCard') endEarlierCards(store, stored, created.row);
      }
    },
  };
}

/** The answer of a mutation, as objects that the rules of lists can read. */
function answerOf(store: RecordSourceSelectorProxy, field: string) {
  if (field !== 'push') return rowOf(store.getRootField(field));
  return store.getPluralRootField(field)?.map((result) => ({ object: rowOf(result?.getLinkedRecord('object')) }));
}

function rowOf(record: RecordProxy | null | undefined): Row | undefined {
  if (!record) return undefined;
  const __typename = record.getType();
  const values = lists[__typename]?.reads.map((name) => [name, record.getValue(name)]) ?? [];
  const parents = record.getLinkedRecords('parents')?.map(rowOf);
  return { __typename, id: String(record.getValue('id')), ...Object.fromEntries(values), parents };
}

function addToList(
  store: RecordSourceSelectorProxy,
  list: RecordProxy | null | undefined,
  args: Args,
  created: Created,
): void {
  const { __typename = '', id } = created.row;
  const node = store.get(getDataID({ id }, __typename));
  if (!list || !node || ![`${__typename}Connection`, `${__typename}Rows`].includes(list.getType())) return;
  const edges = list.getLinkedRecords('edges')?.map((record) => ({ record, node: record.getLinkedRecord('node') }));
  const results = list.getLinkedRecords('results');
  const count = list.getValue('count');
  const hasNextPage = list.getLinkedRecord('pageInfo')?.getValue('hasNextPage') === true;
  const stored = {
    ...(typeof count === 'number' && { count }),
    ...(edges && { edges, pageInfo: { hasNextPage } }),
    ...(results && { results }),
  };
  const changed = afterWrite<RecordProxy | null, Stored>(created, args, stored, {
    node,
    read: (other, field) => other?.getValue(field),
  });
  if (!changed) {
    list.invalidateRecord();
    return;
  }
  if (changed.count !== undefined) list.setValue(changed.count, 'count');
  if (changed.results) list.setLinkedRecords([...changed.results], 'results');
  const edge = `${__typename}Edge`;
  const linked = changed.edges?.map(({ record }) => record ?? ConnectionHandler.createEdge(store, list, node, edge));
  if (linked) list.setLinkedRecords(linked, 'edges');
}

interface Stored extends CachedList<RecordProxy | null> {
  edges?: readonly { record?: RecordProxy; node: RecordProxy | null }[];
}

function endEarlierCards(store: RecordSourceSelectorProxy, stored: RecordSource, row: Row): void {
  const objects = {
    keys: () => stored.getRecordIDs(),
    read(key: string, field: string) {
      const record = store.get(key);
      if (field === 'card' || field === 'entity_card') {
        const linked = record?.getLinkedRecord(field);
        return linked ? linked.getDataID() : linked;
      }
      return field === '__typename' ? record?.getType() : record?.getValue(field);
    },
    end: (key: string) => void store.get(key)?.setValue(false, 'is_active'),
    link(key: string, field: string, other: string | null) {
      const record = other === null ? null : store.get(other);
      if (record) store.get(key)?.setLinkedRecord(record, field);
      else store.get(key)?.setValue(null, field);
    },
  };
  assignCard(objects, `EntityCard:${row.id}`, row);
}
