import { isObject, UpstreamError } from '@gateway/base';
import type { Contract, DialectTraits, Endpoint, EndpointName, FilterCheck } from '@gateway/contract';
import { DateTime, isRow, type KnownList, type ListPage } from '@gateway/upstream';
import { withoutLabel } from '../references.ts';
import type { FilteredList, Filters, Named } from './filters.ts';
import { secondsOf } from './order.ts';

/**
 * Services ignore query parameters that they do not know, and answer all rows. The gateway therefore makes sure of each
 * filter. Each row must match it. Where a page does not show that the service applies it, a value of no row must give no row.
 * A filter that adds rows must come with the property that marks them.
 */

export interface FilterSource extends FilteredList {
  contract: Contract;
  /** The list in the contract. */
  described: Endpoint;
  known: KnownList;
  dialect(): Promise<DialectTraits>;
  /** The first row of the list with these query parameters, whether it matches or not. */
  firstRow(filters: Filters): Promise<ListPage>;
}

/**
 * Reads rows, and makes sure that the filters chose them. `read` takes query parameters. It reads again where the service
 * turns out to call a filter differently.
 * @throws UpstreamError BAD_USER_INPUT for a filter that the service does not apply, before the read where that is known.
 */
export async function readFiltered(
  used: readonly Named[],
  read: (query: Filters) => Promise<ListPage>,
  source: FilterSource,
): Promise<ListPage> {
  const { endpoint, known } = source;
  await requireDialect(used, source);
  refuseWrongValues(used, source);
  requireNone(
    endpoint,
    used.filter(([name, { checkedBy = name }]) => known.isFilterApplied(checkedBy) === false),
  );
  const readOnce = async () => {
    const query = queryOf(source);
    const page = await read(query).catch((error: unknown) => {
      const ofIds = used.filter(([, { compares }]) => compares === 'ids');
      if (!(error instanceof UpstreamError) || error.status !== 500 || ofIds.length === 0) throw error;
      throw refused(ofIds, 'The service fails, as it does on an id that it never gave.', error);
    });
    await requireApplied(used, query, page, source);
    return used.every(([name]) => known.filterName(name) in query) ? page : undefined;
  };
  const page = (await readOnce()) ?? (await readOnce());
  if (page) return page;
  // Versions of the service that answer in turn call the filter differently each time.
  throw ignores(
    endpoint,
    used.filter(([, { otherName }]) => otherName),
  );
}

/** Whether the service may apply a filter, as far as a read has shown it. */
export async function mayApply(name: string, source: FilterSource): Promise<boolean> {
  const filter = source.described.filterChecks?.[name];
  if (!filter) return true;
  const isIgnored = source.known.isFilterApplied(filter.checkedBy ?? name) === false;
  return !isIgnored && (!filter.dialect || (await source.dialect()).name === filter.dialect);
}

/** The filters under the names that the service has shown to know. */
function queryOf({ filters, known }: FilterSource): Filters {
  return Object.fromEntries(Object.entries(filters).map(([name, value]) => [known.filterName(name), value]));
}

async function requireDialect(used: readonly Named[], source: FilterSource): Promise<void> {
  if (used.every(([, filter]) => !filter.dialect)) return;
  const { name: dialect } = await source.dialect();
  const lacking = used.filter(([, filter]) => filter.dialect && filter.dialect !== dialect);
  const text = `The dialect \`${dialect}\` of the service (UPSTREAM_DIALECT) has no such filter. Leave the argument out.`;
  if (lacking.length > 0) throw refused(lacking, text);
}

/** @throws UpstreamError BAD_USER_INPUT for filters that did not choose the rows of the page. */
async function requireApplied(used: readonly Named[], query: Filters, page: ListPage, source: FilterSource) {
  const { endpoint, filters, known } = source;
  const shown = new Map(used.map(([name, filter]) => [name, isShown(filter, page, filters[name] as string, source)]));
  const suspects = await suspectsAmong(used, page, shown, source);
  if (page.count === 0 && (await hasNoRows(suspects, source))) return;
  // Another page of the list may have shown another name meanwhile.
  const current = suspects.filter(([name]) => known.filterName(name) in query);
  for (const [name, { checkedBy = name }] of current) {
    if (shown.get(name) === false) known.learnFilter(checkedBy, undefined);
  }
  const isFailed = async ([name, { compares }]: Named) => {
    // A switch has no value of no row.
    if (compares === 'adds' && shown.get(name)) known.learnFilter(name, true);
    const isApplied = compares === 'amounts' || (await isAppliedAs(name, source));
    return !isApplied || (shown.get(name) === false && known.filterName(name) in query);
  };
  const failed = await Promise.all(current.map(isFailed));
  requireNone(
    endpoint,
    current.filter((_filter, index) => failed[index]),
  );
}

/** The filters of which the page does not show that the service applies them. */
async function suspectsAmong(
  used: readonly Named[],
  { count, rows }: ListPage,
  shown: ReadonlyMap<string, boolean | undefined>,
  source: FilterSource,
): Promise<readonly Named[]> {
  // Filters that the service ignores leave no row out, and add none. One that it applies in another way may leave rows out.
  if (count === 0) return used.filter(([, { checkedBy, compares }]) => checkedBy !== undefined || compares === 'adds');
  // The page has shown the dialect, so that this makes no call.
  const isBelieved = rows.length >= count || (await source.dialect()).appliesFilters === true;
  return used.filter(([name, { dialect }]) => dialect || shown.get(name) !== true || !isBelieved);
}

/** Whether each row matches. Undefined where the rows do not show it. */
function isShown(filter: FilterCheck, { rows }: ListPage, value: string, source: FilterSource): boolean | undefined {
  // Rows show the id in place of an internal number.
  if (filter.compares === 'ids' && source.contract.isInternalNumber(value)) return undefined;
  const matching = rows.filter(isRow).map((row) => matches(filter, row, value, source));
  if (matching.includes(false)) return false;
  return matching.length === 0 || matching.includes(undefined) ? undefined : true;
}

/** The whole list is empty, or nothing is to be found out about the filters. An empty list would show that each is applied. */
async function hasNoRows(used: readonly Named[], { known, firstRow }: FilterSource) {
  const isKnown = used.every(([name, { checkedBy = name }]) => known.isFilterApplied(checkedBy));
  return isKnown || (await firstRow({})).count === 0;
}

/** Asks the service for rows that do not match, by each name of the filter. Makes no call where an answer has shown it of late. */
async function isAppliedAs(name: string, source: FilterSource): Promise<boolean> {
  const { filters, known } = source;
  const all = source.described.filterChecks ?? {};
  const checked = all[name]?.checkedBy ?? name;
  const isKnown = known.isFilterApplied(checked);
  if (isKnown !== undefined) return isKnown;
  const filter = all[checked] as FilterCheck;
  const value = await absentValue(filter, filters[name] as string, source);
  if (value === undefined) return false;
  const names = new Set([known.filterName(checked), checked, filter.otherName ?? checked]);
  for (const each of names) {
    // The service has read rows by this name. If it refuses a value, it knows the filter.
    const orNone = (error: UpstreamError) =>
      each === known.filterName(name) && refusals.includes(error.status) ? { rows: [] } : Promise.reject(error);
    const { rows } = await source.firstRow({ [each]: value }).catch(orNone);
    if (!rows.every((row) => matches(filter, row, value, source))) continue;
    known.learnFilterName(checked, each);
    known.learnFilter(checked, true);
    return true;
  }
  known.learnFilter(checked, false);
  return false;
}

const refusals: readonly unknown[] = [400, 404, 422];

/** A value that the first row of the whole list does not have. */
async function absentValue({ compares, shownBy, values, times }: FilterCheck, given: string, source: FilterSource) {
  if (compares === 'after') return latestTime.in(times ?? 'unix');
  if (compares === 'before') return earliestTime.in(times ?? 'unix');
  if (compares === 'adds') return given;
  if (compares in absent) return absent[compares];
  const [row] = (await source.firstRow({})).rows;
  // The service fails on the row, and with it on the check if it ignores the filter.
  if (!isRow(row) && !values) return source.contract.isInternalNumber(given) ? undefined : given;
  // The service fails on an id that none of its objects has. Other ids of the row may all be that of the filter.
  const idFields = ['id', ...Object.keys(source.contract.references(source.described.kind))];
  const candidates = values ?? [...idFields.flatMap((field) => idsIn(shownAt(row, field, source))), absentNumber];
  const shown = shownBy.flatMap((place) => idsIn(shownAt(row, place, source)).map(String));
  return candidates.find((value) => typeof value === 'string' && !shown.includes(value)) as string | undefined;
}

const latestTime = DateTime.parse('2100-01-01T00:00:00Z') as DateTime;
const earliestTime = DateTime.parse('1970-01-01T00:00:00Z') as DateTime;
const absentText = 'a text of no row';
/** The largest that services with integers of 32 bits take. */
const absentNumber = '2147483647';
const absent: Partial<Record<FilterCheck['compares'], string>> = {
  numbers: absentNumber,
  atLeast: absentNumber,
  atMost: `-${absentNumber}`,
  texts: absentText,
  words: absentText,
};

/** Undefined where the row lacks the properties that show it, or has a time, whose date depends on the zone. */
function matches({ compares, shownBy, times }: FilterCheck, row: unknown, value: string, source: FilterSource) {
  const shown = shownBy.map((place) => shownAt(row, place, source)).filter((each) => each !== undefined);
  if (compares === 'adds') return shown.length > 0;
  if (shown.length === 0 || (times === 'date' && shown.some((each) => String(each).length > 10))) return undefined;
  if (compares !== 'words') return shown.some((each) => compare[compares](each, value));
  return wordsIn(value).every((word) => shown.some((each) => compare.texts(each, word)));
}

/** The service shows whole seconds. */
const compare = {
  after: (shown: unknown, value: string) => (secondsOf(shown) ?? 0) >= Math.floor(secondsOf(value) ?? 0),
  before: (shown: unknown, value: string) => (secondsOf(shown) ?? Number.NaN) <= Math.ceil(secondsOf(value) ?? 0),
  amounts: (shown: unknown) => Number(shown) > 0,
  texts: (shown: unknown, value: string) => folded(shown).includes(folded(value).trim()),
  numbers: (shown: unknown, value: string) => Number(shown) === Number(value),
  atLeast: (shown: unknown, value: string) => Number(shown) >= Number(value),
  atMost: (shown: unknown, value: string) => Number(shown) <= Number(value),
  ids: (shown: unknown, value: string) => idsIn(shown).includes(value),
  values: (shown: unknown, value: string) => String(shown) === value,
};

/** Rows may embed the object in place of its id, and refer to several. */
const idsIn = (shown: unknown) => [shown].flat().map((each) => (isObject(each) ? each.id : each));

/** Services compare texts without their case as PostgreSQL does, in capital letters. Some leave out accents. */
const folded = (text: unknown) =>
  String(text ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase();

const wordsIn = (text: string) => text.split(/[\s,"']+/).filter(Boolean);

/** Without a label before the id. `author.name` is a property of the object `author`. */
function shownAt(row: unknown, place: string, { contract, described }: FilterSource): unknown {
  const shown = place.split('.').reduce((value, key) => (isObject(value) ? value[key] : undefined), row);
  return contract.references(described.kind)[place]?.labelled ? withoutLabel(shown) : shown;
}

function refuseWrongValues(used: readonly Named[], { contract, filters }: FilterSource): void {
  const wrong = used.filter(([name, { compares, values }]) => {
    const value = filters[name] as string;
    return values ? !values.includes(value) : compares === 'ids' && !contract.isPossibleId(value);
  });
  if (wrong.length > 0) throw refused(wrong, 'No row of the service can have this value.');
}

function requireNone(endpoint: EndpointName, ignored: readonly Named[]): void {
  if (ignored.length > 0) throw ignores(endpoint, ignored);
}

function ignores(endpoint: EndpointName, filters: readonly Named[]): UpstreamError {
  const settings = filters.map(([name]) => `upstream.filters.${endpoint}.${name}`).join(', ');
  const text = `The service does not apply this filter, because it is too old or calls the filter differently (${settings}). Leave the argument out.`;
  return refused(filters, text);
}

/** `cause`: the failure of the service, unless the gateway refuses the filters. */
function refused(filters: readonly Named[], text: string, cause?: UpstreamError): UpstreamError {
  const names = filters.map(([name]) => `\`${name}\``).join(', ');
  const fields = filters.map(([name]) => ({ path: [name], message: text }));
  const { code = 'BAD_USER_INPUT', status } = cause ?? {};
  return new UpstreamError(code, `${names}: ${text}`, { fields, status, cause });
}
