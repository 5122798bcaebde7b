import type { RowRange } from '../../loaders/connection.ts';
import { filtersInUse, optionalFiltersOf } from '../../loaders/filter-checks.ts';
import { isById, isListOnly, type Kind, type ListedKind, listEndpoint, listedKinds } from '../../loaders/kinds.ts';
import { orderOf } from '../../loaders/list-filters.ts';
import { maxPages } from '../../loaders/list-scan.ts';
import { type Plan, planOf, type TypePlan, type WayBackPlan } from '../../loaders/plan.ts';
import { mostPages, type PlanSetting, planSearch } from '../../loaders/planner.ts';
import type { Reference } from '../../loaders/references.ts';
import { mostRowsOf } from '../../loaders/row-search.ts';
import { listName, type RowsList } from '../../loaders/rows-request.ts';
import { rowsWantedBy } from '../../loaders/ways-back.ts';
import type { DialectName } from '../../upstream/dialect.ts';
import { type ListEndpointName, pageSize } from '../../upstream/endpoints.ts';
import type { ServiceCosts } from '../../upstream/service-costs.ts';
import { listedAs, type RootCall } from './root-calls.ts';

/** Upper bounds of the load that an operation puts on the service. */
export interface MaxCost {
  calls: number;
  /** Rows of lists, and one for each GET by id. */
  rows: number;
  /** The longest chain of calls that each wait for the answer before. */
  waves: number;
}

/** The dialect and the sizes, which only the service knows. */
export interface Suppositions {
  /** By default the one that makes the fewest calls. */
  dialect?: DialectName | undefined;
  /** Rows of a list that is scanned for a kind without a GET by id. */
  listRows: number;
  /** Items in one list of references. */
  items: number;
}

const unbounded = { listRows: Number.POSITIVE_INFINITY, items: Number.POSITIVE_INFINITY };

/** The cost, and for each list the objects that a scan may search. Their sum decides how many pages the scan reads. */
type Cost = Readonly<Record<keyof MaxCost | ListedKind, number>>;

const noObjects = Object.fromEntries(listedKinds.map((kind) => [kind, 0])) as Record<ListedKind, number>;
const nothing: Cost = { calls: 0, rows: 0, waves: 0, ...noObjects };

interface Terms extends Suppositions {
  costs: ServiceCosts;
  /** Kinds of which so many objects may be missing that their list is scanned first. */
  scanned: ReadonlySet<ListedKind>;
}

/**
 * The most that an operation costs a service that keeps to its specification. Pages have the size that the gateway asks
 * for, embedded objects are there, and no list changes meanwhile. Each object is counted at each place that needs it.
 * Infinity where only the service knows how long a list is.
 */
export function maxCost(
  roots: readonly RootCall[],
  costs: ServiceCosts,
  suppositions: Partial<Suppositions> = {},
): MaxCost {
  const combine = roots.some(({ how }) => how === 'write' || how === 'push') ? then : plus;
  const costWith = (scanned: ReadonlySet<ListedKind>) =>
    roots
      .map((root) => costOfRoot({ ...unbounded, ...suppositions, costs, scanned }, root, roots))
      .reduce(combine, nothing);
  const sought = costWith(new Set());
  const scanned = listedKinds.filter((kind) => pagesFor(sought[kind]) > 0);
  const pages = scanned.reduce((sum, kind) => sum + pagesFor(sought[kind]), 0);
  const { calls, rows, waves } = costWith(new Set(scanned));
  return { calls: calls + pages, rows: rows + pages * pageSize, waves };
}

function costOfRoot(terms: Terms, call: RootCall, roots: readonly RootCall[]): Cost {
  const plan = planOf(call.field);
  if (call.how === 'by id') {
    const { length } = call.ids;
    return then(costOfKeys(terms, { to: call.target }, length), costBelow(terms, plan, length));
  }
  if (call.how === 'write') {
    const isCompleted = isById(call.kind) && !plan.needsNothing;
    const calls = isCompleted ? 2 : 1;
    return then(costOf({ calls, rows: calls, waves: calls }), costBelow(terms, plan, 1));
  }
  if (call.how === 'push') return costOfPush(terms, plan, call.chains);
  if (call.how === 'no call') return nothing;
  const { needsRows, range } = call;
  const checks = costOfChecks(terms, call);
  if (!needsRows) return then(costOf({ calls: 1, rows: 1, waves: 1 }), checks);
  // The row of the cursor shows where the rows have moved to.
  const size = range.beside && orderOf(call.endpoint, call.filters).movesRows ? range.size + 1 : range.size;
  const fewest = Math.ceil(size / pageSize);
  const pages = mostPages(size, settingOf(call.endpoint, terms.costs));
  const count = range.fromEnd ? 1 : 0;
  // The gateway reads ranges that meet as one range, and each by itself if that fails. Pages that do not fit together are
  // read again as one page.
  const reads = roots.some((other) => isReadWith(call, other)) || (fewest === 1 && pages > 1) ? 2 : 1;
  return then(
    costOf({
      calls: count + reads * pages,
      rows: count + reads * size,
      // The other pages wait for the count on the first page.
      waves: count + reads * Math.min(2, pages),
    }),
    then(checks, costBelow(terms, plan, 1, range.size)),
  );
}

/** A row for each filter, and a row of the list, show whether the service applies them. One of `spec` applies its own. */
function costOfChecks({ dialect = 'spec' }: Terms, list: RowsList): Cost {
  const optional = optionalFiltersOf(list).length;
  const checked = dialect === 'spec' ? optional : filtersInUse(list).length;
  const calls = checked + Math.min(1, optional);
  return costOf({ calls, rows: calls, waves: Math.min(2, calls) });
}

/** The reads for all objects come after the last write. */
function costOfPush(terms: Terms, plan: Plan, chains: readonly Kind[][]): Cost {
  const kinds = chains.flat();
  const made = { calls: kinds.length, rows: kinds.length, waves: Math.max(0, ...chains.map(({ length }) => length)) };
  const completed = kinds.filter(isById).length;
  const reads = costOf({ calls: completed, rows: completed, waves: Math.min(1, completed) });
  return then(costOf(made), then(reads, costBelow(terms, plan, kinds.length)));
}

function isReadWith(call: RootCall, other: RootCall): boolean {
  if (call.how !== 'list' || other.how !== 'list' || !other.needsRows) return false;
  return listName(call) === listName(other) && meets(call.range, other.range);
}

function meets(a: RowRange, b: RowRange): boolean {
  const areEqual = a.start === b.start && a.size === b.size;
  // The end of the list is not known yet: ranges that are counted from the end may meet each other.
  if (areEqual || a.fromEnd !== b.fromEnd) return false;
  return a.fromEnd || (a.start <= b.start + b.size && b.start <= a.start + a.size);
}

/** The references of `rows` objects, at most of any type that the objects may have. `length`: items of a list in an object. */
function costBelow(terms: Terms, plan: Plan, rows: number, length = terms.items): Cost {
  return [...plan.byType.values()].map((each) => costOfType(terms, each, rows, length)).reduce(either, nothing);
}

function costOfType(terms: Terms, plan: TypePlan, rows: number, length: number): Cost {
  const referred = (isLate: boolean) =>
    plan.references
      .filter(({ reference, plan: target }) => !target.needsNothing && Boolean(reference.loadAfter) === isLate)
      .map(({ reference, plan: target }) => {
        const keys = reference.list ? rows * length : rows;
        return then(costOfKeys(terms, reference, keys), costBelow(terms, target, keys));
      })
      .reduce(plus, nothing);
  const embedded = plan.embedded
    .map(({ isList, plan: items }) => costBelow(terms, items, isList ? rows * length : rows))
    .reduce(plus, nothing);
  const back = plan.waysBack.map((way) => costOfRows(terms, way, rows)).reduce(plus, nothing);
  return plus(plus(embedded, back), then(referred(false), referred(true)));
}

/** The cost to find the rows that refer to each of `keys` objects, and what those need. */
function costOfRows(terms: Terms, { way, field, rows: plan }: WayBackPlan, keys: number): Cost {
  const setting = settingOf(way.list, terms.costs);
  const { limit, filters } = rowsWantedBy(field, way);
  const checks = costOfChecks(terms, { endpoint: way.list, filters });
  const rows = Math.min(terms.listRows, mostRowsOf(setting));
  // Pages that do not fit together are read again. The last page may be short.
  const calls = 2 * (mostPages(rows, setting) + 1);
  const scan = costOf({ calls, rows: 2 * rows, waves: 2 * wavesOfScan(rows, setting) });
  // The gateway may read pages of all rows first, and look whether the service applies the filter.
  const pages = 2 * mostPages(limit, setting);
  const filtered = costOf({ calls: keys * pages + 2, rows: keys * 2 * limit + 2, waves: 4 });
  const search = then(checks, way.by === undefined ? scan : then(filtered, scan));
  return plan ? then(search, costOfType(terms, plan, keys, limit)) : search;
}

/** The cost to load `keys` objects that one place refers to. */
function costOfKeys(
  { costs, scanned, listRows }: Terms,
  reference: Pick<Reference, 'to' | 'details' | 'partial' | 'noIdField' | 'expandedById'>,
  keys: number,
): Cost {
  const { to } = reference;
  if (isListOnly(to)) {
    const isEmbedded = reference.details !== undefined || reference.noIdField || reference.expandedById;
    const setting = settingOf(listEndpoint(to), costs);
    const pages = mostPages(listRows, setting);
    const waves = wavesOfScan(listRows, setting);
    return isEmbedded ? nothing : costOf({ calls: pages, rows: listRows, waves });
  }
  if (reference.details !== undefined && !reference.partial) return nothing;
  const listed = listedAs(to);
  const first = listed && scanned.has(listed) ? maxPages : 0;
  // The gateway may ask the wrong endpoint first.
  if (to === 'Entity') return costOf({ calls: 2 * keys, rows: keys, waves: first + 2 }, listed, keys);
  return isById(to) ? costOf({ calls: keys, rows: keys, waves: first + 1 }, listed, keys) : nothing;
}

/** Pages that the gateway may read in vain before the GETs. */
function pagesFor(objects: number): number {
  return Math.min(maxPages, Math.max(0, objects - 1));
}

/** Waves of the search for one object, which reads the fewest pages at once. */
function wavesOfScan(rows: number, setting: PlanSetting): number {
  if (rows === Number.POSITIVE_INFINITY) return rows;
  let waves = 1;
  for (let unread = rows - pageSize; unread > 0; waves += 1) {
    const search = { ...setting, keys: 1, getMs: undefined, unread, rowsOfWave: 0, nextPageShare: 0, maxPages };
    const { width, size } = planSearch(search).chosen;
    unread -= width * size;
  }
  return waves;
}

function settingOf(endpoint: ListEndpointName, costs: ServiceCosts): PlanSetting {
  const { parallelism, scarce } = costs;
  return { list: costs.of(endpoint), pageSize, parallelism, scarce, callsLeft: Number.POSITIVE_INFINITY };
}

function costOf(cost: MaxCost, sought?: ListedKind, keys = 0): Cost {
  return { ...nothing, ...cost, ...(sought && { [sought]: keys }) };
}

/** Costs that overlap in time. */
function plus(a: Cost, b: Cost): Cost {
  return { ...combined(a, b, (x, y) => x + y), waves: Math.max(a.waves, b.waves) };
}

/** Costs of which one waits for the other. */
function then(a: Cost, b: Cost): Cost {
  return combined(a, b, (x, y) => x + y);
}

function either(a: Cost, b: Cost): Cost {
  return combined(a, b, Math.max);
}

function combined(a: Cost, b: Cost, combine: (x: number, y: number) => number): Cost {
  const parts = Object.keys(nothing) as (keyof Cost)[];
  return Object.fromEntries(parts.map((part) => [part, combine(a[part], b[part])])) as Cost;
}
