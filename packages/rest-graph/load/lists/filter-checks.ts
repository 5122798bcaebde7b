import { isObject, UpstreamError } from '@gateway/base';
import type { Contract, DialectTraits, Endpoint, EndpointName, FilterCheck } from '@gateway/contract';
import { DateTime, isRow, type KnownList, type ListPage } from '@gateway/upstream';
import { withoutLabel } from '../references.ts';
import { type FilteredList, type Filters, filtersInUse, type Named } from './filters.ts';
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
  /** The same as the service gives it now. */
  firstRowNow(filters: Filters): Promise<ListPage>;
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
  const { endpoint, filters, known } = source;
  await requireDialect(used, source);
  refuseWrongValues(used, source);
  const isIgnored = ([name]: Named) =>
    Object.keys(checksOf(name, source)).every((check) => known.isFilterApplied(check) === false);
  requireNone(endpoint, used.filter(isIgnored));
  const readOnce = async () => {
    // The filters under the names that the service has shown to know.
    const query = Object.fromEntries(Object.entries(filters).map(([name, value]) => [known.filterName(name), value]));
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
  const renamed = used.filter(([, { otherName }]) => otherName);
  throw ignores(endpoint, renamed);
}

/** Whether the service may apply a filter, as far as a read has shown it. */
export async function mayApply(name: string, source: FilterSource): Promise<boolean> {
  const filter = source.described.filterChecks?.[name];
  if (!filter) return true;
  const isIgnored = source.known.isFilterApplied(filter.checkedBy ?? name) === false;
  return !isIgnored && (!filter.dialect || (await source.dialect()).name === filter.dialect);
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
  const isKnown = suspects.every(([name, { checkedBy = name }]) => known.isFilterApplied(checkedBy));
  // An empty list would show that each filter is applied.
  if (page.count === 0 && (isKnown || (await source.firstRow({})).count === 0)) return;
  // Another page of the list may have shown another name meanwhile.
  const current = suspects.filter(([name]) => known.filterName(name) in query);
  for (const [name] of current.filter(([each]) => shown.get(each) === false)) {
    for (const check in checksOf(name, source)) known.learnFilter(check, undefined);
  }
  const isFailed = async ([name, { compares }]: Named) => {
    // A switch has no value of no row.
    if (compares === 'adds' && shown.get(name)) known.learnFilter(name, true);
    const isApplied = compares === 'amounts' || (await isAppliedAs(name, page, source));
    return !isApplied || (shown.get(name) === false && known.filterName(name) in query);
  };
  const failed = await Promise.all(current.map(isFailed));
  const ignored = current.filter((_filter, index) => failed[index]);
  requireNone(endpoint, ignored);
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

/** By name: a filter by itself, and beside the others of the request. Some services apply a latitude with a longitude alone. */
function checksOf(name: string, source: FilterSource): Record<string, FilterSource> {
  const { described, filters, known } = source;
  const others = filtersInUse(described, filters).filter(([each]) => each !== name);
  const query = Object.fromEntries(others.map(([each]) => [known.filterName(each), filters[each] as string]));
  const beside = {
    ...source,
    firstRow: (more: Filters) => source.firstRow({ ...query, ...more }),
    firstRowNow: (more: Filters) => source.firstRowNow({ ...query, ...more }),
  };
  const checked = checkedBy(name, source);
  return { [checked]: source, [[checked, ...Object.keys(query)].join(' ')]: beside };
}

const checkedBy = (name: string, { described }: FilterSource) => described.filterChecks?.[name]?.checkedBy ?? name;

async function isAppliedAs(name: string, { count }: ListPage, source: FilterSource): Promise<boolean> {
  // Beside filters that leave no row, another one shows nothing.
  const checks = Object.entries(checksOf(name, source)).slice(0, count > 0 ? 2 : 1);
  if (checks.some(([check]) => source.known.isFilterApplied(check))) return true;
  for (const [check, beside] of checks) if (await isAppliedIn(beside, name, check)) return true;
  return false;
}

/** Asks the service for rows that do not match, by each name of the filter. Makes no call where an answer has shown it of late. */
async function isAppliedIn(source: FilterSource, name: string, check: string): Promise<boolean> {
  const { filters, known } = source;
  const isKnown = known.isFilterApplied(check);
  if (isKnown !== undefined) return isKnown;
  const checked = checkedBy(name, source);
  const filter = source.described.filterChecks?.[checked] as FilterCheck;
  const given = filters[name] as string;
  const absent = await absentValues(filter, given, source);
  // The first row may have all values of the filter.
  const values = absent.length > 0 ? absent : [given];
  const isShown = absent.length > 0 && filter.shownBy.length > 0;
  // Beside others, the filter may only switch one of them on. Its value has to change the rows then.
  const isAlone = check === checked;
  const usual: Filters = isAlone ? {} : { [known.filterName(name)]: given };
  const first = ({ rows: [row] }: ListPage) => idsIn(row)[0];
  const isOther = (page: ListPage, ...pages: [ListPage, ...ListPage[]]) =>
    pages.every(({ count }) => page.count > 0 && page.count < count) ||
    (!isAlone && pages.every(({ count }) => page.count > count)) ||
    (!isAlone && first(page) !== first(pages[0]) && pages.every((each) => first(each) === first(pages[0])));
  const found = isShown ? undefined : source.firstRowNow(usual);
  const before = await found?.catch(() => undefined);
  const names = new Set([known.filterName(checked), checked, filter.otherName ?? checked]);
  for (const [each, value] of [...names].flatMap((each) => values.map((value) => [each, value] as const))) {
    // The service has read rows by this name. If it refuses a value, it knows the filter.
    const orNone = (error: UpstreamError) =>
      each === known.filterName(name) && refusals.includes(error.status) ? none : Promise.reject(error);
    const page = await source.firstRow({ [each]: value }).catch(orNone);
    // Rows that come meanwhile make no list shorter. Rows that go make the whole list shorter too.
    const isApplied = before && isOther(page, before) && isOther(page, before, await source.firstRowNow(usual));
    if (!isApplied && !page.rows.every((row) => absent.includes(value) && matches(filter, row, value, source)))
      continue;
    known.learnFilterName(checked, each);
    known.learnFilter(check, true);
    return true;
  }
  // Without these rows, nothing is shown.
  await found;
  // Another value may leave rows out.
  if (isShown || !values.includes(given)) known.learnFilter(check, false);
  return false;
}

const refusals: readonly unknown[] = [400, 404, 422];
const none: ListPage = { count: 0, rows: [] };

/** Values that the first row without the filter does not have. A filter that no property shows may be one of any kind. */
async function absentValues(filter: FilterCheck, given: string, source: FilterSource): Promise<string[]> {
  const { compares, shownBy, values, times = 'unix' } = filter;
  if (compares === 'adds') return [given];
  const extremes = extreme[compares]?.map((value) => (value instanceof DateTime ? value.in(times) : String(value)));
  if (extremes) return shownBy.length > 0 ? extremes.slice(0, 1) : [...extremes, given];
  if (values && shownBy.length === 0) return [given, ...values.filter((value) => value !== given)].slice(0, 4);
  const [row] = (await source.firstRow({})).rows;
  // The service fails on the row, and with it on the check if it ignores the filter.
  if (!isRow(row) && !values) return source.contract.isInternalNumber(given) ? [] : [given];
  // The service fails on an id that none of its objects has. Other ids of the row may all be that of the filter.
  const idFields = ['id', ...Object.keys(source.contract.references(source.described.kind))];
  const candidates = values ?? [...idFields.flatMap((field) => idsIn(shownAt(row, field, source))), most];
  const shown = shownBy.flatMap((place) => idsIn(shownAt(row, place, source)).map(String));
  const absent = candidates.filter((value) => typeof value === 'string' && !shown.includes(value)) as string[];
  // Rows show whether they match. Otherwise the first value may be one that leaves no row out.
  return absent.slice(0, shownBy.length > 0 ? 1 : 2);
}

const [late, early] = ['2100-01-01T00:00:00Z', '1970-01-01T00:00:00Z'].map((time) => DateTime.parse(time) as DateTime);
/** The largest and the least that services with integers of 32 bits take. */
const [most, least] = ['2147483647', '-2147483647'];
/** First those that suit the filter, if its name says what it is. */
const extreme: Partial<Record<FilterCheck['compares'], (string | DateTime | undefined)[]>> = {
  after: [late, early],
  before: [early, late],
  texts: ['a text of no row'],
  words: ['a text of no row'],
  numbers: [most, least],
  atLeast: [most, least],
  atMost: [least, most],
};

/** Undefined where the row does not show it. */
function matches({ compares, shownBy }: FilterCheck, row: unknown, value: string, source: FilterSource) {
  const shown = shownBy.map((place) => shownAt(row, place, source)).filter((each) => each !== undefined);
  if (compares === 'adds') return shown.length > 0;
  if (shown.length === 0) return undefined;
  if (compares === 'words') return wordsIn(value).every((word) => shown.some((each) => compare.texts(each, word)));
  const found = shown.map((each) => compare[compares](each, value));
  return found.includes(true) || (found.includes(undefined) ? undefined : false);
}

/** Undefined for anything but numbers. Null is beyond each bound, or within. */
const numbers = (order: (shown: number, value: number) => boolean) => (shown: unknown, value: unknown) => {
  const [one, other] = [Number(shown ?? Number.NaN), Number(value ?? Number.NaN)];
  return Number.isNaN(one + other) ? undefined : order(one, other);
};

/** Undefined for times of two forms: dates, and times without a zone, depend on a zone. The service shows whole seconds. */
const times = (order: Parameters<typeof numbers>[0]) => (shown: unknown, value: string) =>
  formOf(shown) === formOf(value) ? numbers(order)(secondsOf(shown), secondsOf(value)) : undefined;
const formOf = (time: unknown) => exact.test(String(time)) || String(time).length;
const exact = /^-?\d{1,11}(\.\d+)?$|(Z|[+-]\d\d:?\d\d)$/i;

const compare = {
  after: times((shown, value) => shown >= Math.floor(value)),
  before: times((shown, value) => Math.floor(shown) <= Math.ceil(value)),
  amounts: (shown: unknown) => Number(shown) > 0,
  texts: (shown: unknown, value: string) => folded(shown).includes(folded(value).trim()),
  numbers: numbers((shown, value) => shown === value),
  atLeast: numbers((shown, value) => shown >= value),
  atMost: numbers((shown, value) => shown <= value),
  ids: (shown: unknown, value: string) => idsIn(shown).some((id) => id === value || isSameUuid(id, value)),
  values: (shown: unknown, value: string) =>
    shown === null ? undefined : [shown].flat().some((each) => String(each) === value || each === bits[value]),
};

/** Databases without booleans have these in their place. */
const bits: Readonly<Record<string, number>> = { true: 1, false: 0 };
const isSameUuid = (id: unknown, value: string) => /^[\da-f-]{36}$/i.test(value) && folded(id) === folded(value);

/** Rows may embed the object in place of its id, and refer to several. */
const idsIn = (shown: unknown) => [shown].flat().map((each) => (isObject(each) ? each.id : each));

/** Services compare texts without their case as PostgreSQL does, in capital letters. Some leave out accents. */
const folded = (text: unknown) => `${text ?? ''}`.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase();

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
