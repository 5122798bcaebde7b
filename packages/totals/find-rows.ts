import { type Json, UpstreamError } from '@gateway/base';
import type { Contract, ListEndpointName, Reference } from '@gateway/contract';
import { type Filters, idOf, type Loaders, type Look, type Rows, referenceValue } from '@gateway/rest-graph';

/** Rows of a list that refer to objects. */
export interface Way {
  list: ListEndpointName;
  filters: Filters;
  /** References of a row to the object. */
  of: readonly string[];
  /** Argument of the list that asks for the rows of one object. */
  by?: string | undefined;
  /** The field of the operation that shows them. */
  field: string;
}

/** For more objects, the look through the list that they share is cheaper. */
const mostFiltered = 20;

/** Rows that an object usually has. */
export const usualRows = 20;

/** Rows of a list of unknown length. */
const supposedRows = 500;

const looks = new WeakMap<Look, Promise<Rows>>();

/** All rows of a list. The fields of an operation share them. */
export function allRows(loaders: Loaders, { list, filters, field }: Omit<Way, 'of' | 'by'>): Promise<Rows> {
  const look = loaders.look(list, filters);
  const rows = looks.get(look) ?? look.rows(field);
  looks.set(look, rows);
  return rows;
}

const owners = new WeakMap<Rows, Map<string, ReadonlyMap<string, Json[]>>>();

/** The rows that refer to an object. Where few objects ask, each has its filtered list; otherwise all share one look. */
export async function ownRows(loaders: Loaders, id: string, way: Way): Promise<Rows> {
  const filtered = way.by !== undefined && (await isFilterCheaper(loaders, way));
  const found = filtered ? await filteredRows(loaders, id, way) : await allRows(loaders, way);
  const { contract } = loaders;
  const name = JSON.stringify(way.of);
  const known = owners.get(found) ?? new Map<string, ReadonlyMap<string, Json[]>>();
  owners.set(found, known);
  const byOwner = known.get(name) ?? rowsByOwner(contract, way, found.rows);
  known.set(name, byOwner);
  return { ...found, rows: byOwner.get(id) ?? [] };
}

/** The rows of the filtered list. A service may turn out to ignore the filter. */
function filteredRows(loaders: Loaders, id: string, way: Way): Promise<Rows> {
  const filters = { ...way.filters, [way.by as string]: id };
  return allRows(loaders, { ...way, filters }).catch((error: unknown) => {
    if (error instanceof UpstreamError && error.code === 'BAD_USER_INPUT') return allRows(loaders, way);
    throw error;
  });
}

function rowsByOwner(contract: Contract, { list, of }: Way, rows: readonly Json[]): ReadonlyMap<string, Json[]> {
  const references = contract.references(contract.endpoint(list).kind);
  const byOwner = new Map<string, Json[]>();
  for (const row of rows) {
    const values = of.map((field) => referenceValue(row, field, references[field] as Reference));
    for (const id of new Set(values.flatMap((value) => (value === null ? [] : idOf(value))))) {
      const own = byOwner.get(id);
      if (own) own.push(row);
      else byOwner.set(id, [row]);
    }
  }
  return byOwner;
}

/** Objects that ask in one tick, and what the first of them decides for all. */
interface Batch {
  objects: number;
  isCheaper: Promise<boolean>;
}

const batches = new WeakMap<Look, Batch>();

/** A filtered list for each of the objects that ask in this tick is less work than the whole list. */
function isFilterCheaper(loaders: Loaders, { list, filters, by = '', field }: Way): Promise<boolean> {
  const look = loaders.look(list, filters);
  const batch = batches.get(look);
  if (batch) {
    batch.objects += 1;
    return batch.isCheaper;
  }
  const decide = async () => {
    await undefined;
    batches.delete(look);
    const { objects } = begun;
    const { list: cost, callsLeft, pageSize } = look.list.setting;
    const rows = look.unread ?? supposedRows;
    const workOfAll = Math.ceil(rows / pageSize) * cost.callMs + rows * cost.rowMs;
    const workOfEach = objects * (cost.callMs + usualRows * cost.rowMs);
    if (objects > Math.min(mostFiltered, callsLeft / 2) || workOfEach >= workOfAll) return false;
    return look.list.mayFilter(by, { reason: 'list scan', fields: () => [field] });
  };
  const begun: Batch = { objects: 1, isCheaper: Promise.resolve(false) };
  batches.set(look, begun);
  begun.isCheaper = decide();
  return begun.isCheaper;
}
