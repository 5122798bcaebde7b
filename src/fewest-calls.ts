import type { ListedKind } from './loaders/by-id.ts';
import type { RowRange } from './loaders/connection.ts';
import { isListOnly } from './loaders/list-only.ts';
import type { Target } from './loaders/references.ts';
import { type ReadyOperation, type RootField, rootFieldsOf } from './root-calls.ts';

/**
 * The fewest REST calls that an operation can do with: its writes, or else what its root fields read, as if every list
 * were short, and every reference embedded. `keepsCatalogs`: an unfiltered list of a catalog may have been kept from an
 * earlier operation.
 */
export function fewestCalls(ready: ReadyOperation, { keepsCatalogs = false } = {}): number {
  const fields = rootFieldsOf(ready);
  if (ready.operation.operation === 'mutation') return fields.length;
  return fewestForLists(fields, keepsCatalogs) + fewestForIds(fields);
}

function fewestForLists(fields: readonly RootField[], keepsCatalogs: boolean): number {
  const ranges = new Map<string, RowRange[]>();
  for (const { call } of fields) {
    if (call.how !== 'list') continue;
    const { kind, filters, range, needsRows } = call;
    if (keepsCatalogs && isListOnly(kind) && filters === '') continue;
    const list = `${kind} ${filters}`;
    // Any page of the list tells its count, and where its end is depends on that.
    const isSure = needsRows && !range.fromEnd;
    ranges.set(list, [...(ranges.get(list) ?? []), ...(isSure ? [range] : [])]);
  }
  return [...ranges.values()].reduce((sum, each) => sum + Math.max(1, spans(each)), 0);
}

/** Ranges that overlap or adjoin are read as one. */
function spans(ranges: readonly RowRange[]): number {
  let count = 0;
  let end = -1;
  for (const { start, size } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (start > end) count += 1;
    end = Math.max(end, start + size);
  }
  return count;
}

function fewestForIds(fields: readonly RootField[]): number {
  const idsOf = (...targets: Target[]) =>
    new Set(fields.flatMap(({ call }) => (call.how === 'by id' && targets.includes(call.target) ? call.id : [])));
  /** Of objects that one page of their list may hold. */
  const listed = (kind: ListedKind, objects: number): number => {
    const isListRead = fields.some(({ call }) => call.how === 'list' && call.kind === kind);
    return isListRead ? 0 : Math.min(1, objects);
  };
  const [farmers, companies] = [idsOf('Farmer'), idsOf('Company')];
  // An entity may be the company that is asked for beside it; a farmer of the same id is another one.
  const notCompanies = [...idsOf('Farmer', 'Entity')].filter((id) => farmers.has(id) || !companies.has(id)).length;
  return (
    companies.size +
    idsOf('User').size +
    listed('Farmer', notCompanies) +
    listed('ProductTransaction', idsOf('ProductTransaction').size) +
    listed('PaymentTransaction', idsOf('PaymentTransaction').size)
  );
}
