import type { ListedKind } from '../../loaders/by-id.ts';
import { isListOnly } from '../../loaders/list-only.ts';
import { rowTypes } from '../../loaders/list-pages.ts';
import { spansOf } from '../../loaders/page-ranges.ts';
import type { Target } from '../../loaders/references.ts';
import { listName } from '../../loaders/rows-request.ts';
import type { Range } from '../../upstream/list-page.ts';
import { type ReadyOperation, type RootField, rootFieldsOf } from '../root-calls.ts';

/**
 * The fewest REST calls that an operation can do with: its writes, or else what its root fields read, as if every list
 * were short, every reference embedded, and none of it under way for another operation. `keepsCatalogs`: an unfiltered
 * list of a catalog may have been kept from an earlier operation.
 */
export function minCalls(ready: ReadyOperation, { keepsCatalogs = false, fields = rootFieldsOf(ready) } = {}): number {
  if (ready.operation.operation === 'mutation') return fields.length;
  return fewestForLists(fields, keepsCatalogs) + fewestForIds(fields);
}

function fewestForLists(fields: readonly RootField[], keepsCatalogs: boolean): number {
  const ranges = new Map<string, Range[]>();
  for (const { call } of fields) {
    if (call.how !== 'list') continue;
    const { endpoint, filters, range, needsRows } = call;
    const isWhole = Object.keys(filters).length === 0;
    if (keepsCatalogs && isListOnly(rowTypes[endpoint]) && isWhole) continue;
    // Any page of the list tells its count, and where its end is depends on that.
    const isSure = needsRows && !range.fromEnd;
    const sure = ranges.get(listName(call)) ?? [];
    if (isSure) sure.push({ offset: range.start, limit: range.size });
    ranges.set(listName(call), sure);
  }
  return [...ranges.values()].reduce((sum, each) => sum + Math.max(1, spansOf(each).length), 0);
}

function fewestForIds(fields: readonly RootField[]): number {
  const idsOf = (...targets: Target[]) =>
    new Set(fields.flatMap(({ call }) => (call.how === 'by id' && targets.includes(call.target) ? call.id : [])));
  /** Of objects that one page of their list may hold. */
  const listed = (kind: ListedKind, objects: number): number => {
    const isListRead = fields.some(({ call }) => call.how === 'list' && rowTypes[call.endpoint] === kind);
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
