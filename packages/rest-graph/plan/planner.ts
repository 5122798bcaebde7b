import { type ExpectedCost, gatewayCost, type Scarce } from '@gateway/upstream';

/** Milliseconds are about the usual time of the service; `gatewayMs` is the gateway's own work. */
export interface Cost {
  calls: number;
  /** Until the last answer. */
  ms: number;
  /** The service works for so long. */
  workMs: number;
  gatewayMs: number;
}

/** One way to get the objects or the rows of a batch, and its expected cost. */
export interface AccessPath extends Omit<Cost, 'calls'> {
  /** Calls by id. They follow the pages, for the objects that the pages lack, so the number may be a fraction. */
  gets: number;
  /** Pages of the list, of which `width` are read at once. */
  pages: number;
  width: number;
  /** Rows of each page. */
  size: number;
}

/** The access path that the gateway takes, and of the others the fastest and the one with the least work. */
export interface Choice {
  /** Objects of a search. */
  keys?: number;
  /** Rows of a range. */
  rows?: number;
  chosen: AccessPath;
  others: readonly AccessPath[];
}

/** The figures of one list. */
export interface PlanSetting {
  list: ExpectedCost;
  /** Rows of the service's largest page. */
  pageSize: number;
  /** One call gives all rows. */
  unpaged?: true | undefined;
  /** Calls that the service works on side by side. */
  parallelism: number;
  scarce?: Scarce | undefined;
  /** Calls that the operation may still make. */
  callsLeft: number;
}

/** Objects to find by their ids. */
export interface Search extends PlanSetting {
  keys: number;
  /** Milliseconds of a GET by id; undefined for kinds that only lists give. */
  getMs?: number | undefined;
  /** Rows of the list that the gateway has not read; undefined where it does not know the list's length. */
  unread: number | undefined;
  /** Unread rows that another search is reading. The objects can wait for them. */
  coming?: number;
  /** Rows of the waves that the search has begun with; 0 before. Narrower waves would make the end of a long list slow. */
  rowsOfWave?: number;
  /** Share of the objects that the next page probably holds, however long the list is. */
  nextPageShare?: number;
  /** Pages that the search may read before it asks by id. By default all. */
  maxPages?: number;
}

/** A range of rows to read. */
export interface RangeToRead extends PlanSetting {
  rows: number;
  /** The list is known to have these rows. */
  isCounted: boolean;
  /** The list may well have fewer rows. */
  mayBeShort?: boolean;
  /** The rows refer to objects that come by id, so that the range is a part of the work. */
  hasReferences: boolean;
  /** Share of the rows of this list that were read again, because pages did not fit together. */
  shiftShare?: number;
  /** Rows of this list that come or go in a millisecond. */
  changesPerMs?: number;
}

/** A path counts as fast up to this factor of the fastest path's time, or these milliseconds more. Costs are known no better. */
const asFast = 1.15;
const asFastMs = 3;

/** Most work of what is scarce, by that of the path with the least. */
const mostWork = 1.25;

/**
 * Share of the work that may be added to it by pages smaller than the service gives. The objects that rows refer to make
 * the same calls a smaller part of the whole.
 */
const mostSplitWork = 0.1;
const mostSplitWorkBeforeReferences = 0.12;

/** Rows of a list of unknown length. Its first page, which shows the length, is read alone. */
export const supposedRows = 500;

/** Most pages that are read at once, and most into which one page is split. */
const maxWidth = 16;
const maxSplit = 8;

/** GETs by id, or pages of the list first. Without a GET, pages until all objects are found. */
export function planSearch(search: Search): Choice {
  const { keys, getMs } = search;
  return { keys, ...choose(getMs === undefined ? scanPaths(search) : searchPaths(search, getMs), search) };
}

/** One page, or several smaller ones at once. */
export function planRange(range: RangeToRead): Choice {
  return { rows: range.rows, ...choose(rangePaths(range), range) };
}

/**
 * Takes the fastest path. Among paths that are about as fast, the least work decides, then the fewest calls. It is the work
 * of what is scarce, for which others wait. Paths of much more of it than the cheapest are left out. Paths that do not fit
 * are left out, if another one fits.
 */
function choose(paths: readonly AccessPath[], { callsLeft, parallelism, scarce = 'service' }: PlanSetting): Choice {
  const [only] = paths;
  if (only && paths.length === 1) return { chosen: only, others: [] };
  const fitting = paths.filter((path) => path.gets + path.pages <= callsLeft);
  const possible = fitting.length > 0 ? fitting : paths;
  // Over a service that answers at once, the gateway holds up more than all workers of the service do.
  const work = ({ workMs, gatewayMs }: AccessPath) =>
    scarce === 'service' ? Math.max(workMs, parallelism * gatewayMs) : gatewayMs;
  const time = ({ ms, gatewayMs }: AccessPath) => ms + gatewayMs;
  const most = scarce === 'nothing' ? Number.POSITIVE_INFINITY : mostWork * Math.min(...possible.map(work));
  const worthwhile = possible.filter((path) => work(path) <= most);
  const fastest = Math.min(...worthwhile.map(time));
  const [chosen] = worthwhile
    .filter((path) => time(path) <= Math.max(asFast * fastest, fastest + asFastMs))
    .toSorted((a, b) => work(a) - work(b) || a.gets + a.pages - (b.gets + b.pages)) as [AccessPath];
  const rest = possible.filter((path) => path !== chosen);
  const others = [least(rest, 'ms'), least(rest, 'workMs')].filter((path) => path !== undefined);
  return { chosen, others: [...new Set(others)] };
}

function least(paths: readonly AccessPath[], figure: 'ms' | 'workMs'): AccessPath | undefined {
  return paths.toSorted((a, b) => a[figure] - b[figure])[0];
}

function searchPaths(search: Search, getMs: number): AccessPath[] {
  const { list, keys, unread = supposedRows, pageSize, callsLeft } = search;
  const { coming = 0, nextPageShare = 0, maxPages = Number.POSITIVE_INFINITY } = search;
  // The first page shows whether the objects fit into the call budget in pages.
  const hidesFit = search.unread === undefined && keys > callsLeft && maxPages > 0;
  const paths = hidesFit ? [] : [gets(search, keys, getMs)];
  if (coming > 0) {
    const rest = gets(search, keys * Math.max(0, 1 - coming / unread), getMs);
    paths.push({ ...rest, ms: list.callMs + Math.min(coming, pageSize) * list.rowMs + rest.ms });
  }
  for (const { rows, width } of prefixes(search)) {
    if (width > maxPages) continue;
    const nearby = nextPageShare * Math.min(1, rows / pageSize);
    const spread = Math.min(1, rows / unread);
    // Objects that are near each other are on the page together, or all of them are elsewhere.
    const goesOn = nearby > spread ? 1 - nearby : 1 - spread ** keys;
    const rests: AccessPath[] = [];
    if (goesOn > 0) rests.push(gets(search, (keys * (1 - Math.max(nearby, spread))) / goesOn, getMs));
    const further = Math.ceil((unread - rows) / pageSize);
    if (further > 0 && width + further <= maxPages) rests.push(pages(search, further, unread - rows));
    paths.push(then(pages(search, width, rows), goesOn, least(rests, 'workMs')));
  }
  return paths;
}

/** The search reads equal waves of pages until it has found all objects, wherever they are. */
function scanPaths(search: Search): AccessPath[] {
  const { keys, unread = 0, rowsOfWave = 0 } = search;
  const all = prefixes(search);
  const equal = all.filter(({ rows }) => rows >= Math.min(rowsOfWave, unread));
  return (equal.length > 0 ? equal : all).map(({ rows, width }): AccessPath => {
    const wave = pages(search, width, rows);
    let further = 0;
    // The last of the objects is behind the first waves, unless all are within them. No operation reads 10,000 waves.
    for (let read = rows; read < Math.min(unread, 10_000 * rows); read += rows) further += 1 - (read / unread) ** keys;
    return then(wave, further, wave);
  });
}

/** The parts of a list that a search may read at once, from its first unread row on. */
function prefixes(search: Search): { rows: number; width: number }[] {
  const { unread, pageSize, unpaged } = search;
  // A page past the end is a call for nothing.
  if (unread === undefined || unpaged) return [{ rows: unread ?? pageSize, width: 1 }];
  const lengths = new Set<number>();
  for (let count = 1; count <= maxWidth; count *= 2) lengths.add(Math.min(unread, count * pageSize));
  return [...lengths].flatMap((rows) => splits(rows, search, mostSplitWork).map((width) => ({ rows, width })));
}

function rangePaths(range: RangeToRead): AccessPath[] {
  const { rows, isCounted, hasReferences, shiftShare = 0, changesPerMs = 0 } = range;
  const inPages = (count: number): AccessPath => {
    const atOnce = pages(range, count, rows);
    if (isCounted || count === 1) return atOnce;
    // The first page alone shows whether there are more rows.
    const inTurn = then(pages(range, 1, rows / count), 1, pages(range, count - 1, rows - rows / count));
    // That wait would double the time if rows are cheaper than supposed.
    const width =
      range.list.isSupposed && !range.mayBeShort ? Math.min(count, Math.floor(range.parallelism)) : inTurn.width;
    return { ...inTurn, pages: count, width, size: atOnce.size };
  };
  const counts = splits(rows, range, hasReferences ? mostSplitWorkBeforeReferences : mostSplitWork);
  const [whole, ...split] = counts.map(inPages) as [AccessPath, ...AccessPath[]];
  const faster = split.filter(({ ms }) => ms < whole.ms);
  // Rows that move while several pages are read cost one more reading.
  const movedShare = ({ ms }: AccessPath) => Math.max(shiftShare, 1 - Math.exp(-changesPerMs * ms));
  return [whole, ...faster.map((path) => ({ ...then(path, movedShare(path), whole), pages: path.pages }))];
}

/** The numbers of pages in which rows can be read: the fewest, and multiples whose calls add little work. */
function splits(rows: number, { list, pageSize, unpaged, parallelism }: PlanSetting, mostAddedWork: number): number[] {
  if (unpaged) return [1];
  const fewest = Math.max(1, Math.ceil(rows / pageSize));
  const workMs = fewest * list.callMs + rows * list.rowMs;
  const counts = [fewest];
  for (let times = 2; times <= maxSplit; times += 1) {
    const count = times * fewest;
    const addedMs = (count - fewest) * list.callMs;
    if (count > Math.min(maxWidth, rows, parallelism) || addedMs > mostAddedWork * workMs) break;
    counts.push(count);
  }
  return counts;
}

/** GETs at once. They wait for each other only if the service is scarce. */
function gets({ parallelism, scarce = 'service' }: PlanSetting, count: number, getMs: number): AccessPath {
  return {
    gets: count,
    pages: 0,
    width: 0,
    size: 0,
    ms: together(count, getMs, scarce === 'service' ? parallelism : Number.POSITIVE_INFINITY),
    workMs: count * getMs,
    gatewayMs: count * gatewayCost.callMs,
  };
}

/** Pages at once, which share the rows. They are smaller than the service's only where that makes more of them. */
function pages({ list, pageSize, parallelism }: PlanSetting, count: number, rows: number): AccessPath {
  const { callMs, rowMs } = list;
  const isFewest = count === Math.ceil(rows / pageSize);
  return {
    gets: 0,
    pages: count,
    width: count,
    size: isFewest ? pageSize : Math.ceil(rows / count),
    ms: together(count, callMs + (rows / count) * rowMs, parallelism),
    workMs: count * callMs + rows * rowMs,
    gatewayMs: count * gatewayCost.callMs + rows * gatewayCost.rowMs,
  };
}

/** A path that goes on with the rest, with a probability or so many times. */
function then(path: AccessPath, times: number, rest: AccessPath | undefined): AccessPath {
  if (!rest || times === 0) return path;
  return {
    ...path,
    gets: path.gets + times * rest.gets,
    pages: path.pages + times * rest.pages,
    ms: path.ms + times * rest.ms,
    workMs: path.workMs + times * rest.workMs,
    gatewayMs: path.gatewayMs + times * rest.gatewayMs,
  };
}

/** Milliseconds of equal calls that begin at once. A service with four workers answers five of them in two rounds. */
function together(calls: number, ms: number, parallelism: number): number {
  return ms * Math.max(1, Math.ceil(calls / Math.max(1, Math.round(parallelism))));
}
