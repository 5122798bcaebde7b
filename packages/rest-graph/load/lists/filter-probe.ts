import type { UpstreamError } from '@gateway/base';
import type { DialectTraits, FilterCheck } from '@gateway/contract';
import { DateTime, isRow, type KnownList, type ListPage } from '@gateway/upstream';
import { type FilteredList, type Filters, filtersInUse } from './filters.ts';
import { type Described, idsIn, matches, shownAt } from './row-matches.ts';

/** A list with filters, of which the service may ignore some. */
export interface FilterSource extends FilteredList, Described {
  known: KnownList;
  dialect(): Promise<DialectTraits>;
  /** The first row of the list with these query parameters, whether it matches or not. `isFresh`: as the service gives it now. */
  firstRow(filters: Filters, isFresh?: boolean): Promise<ListPage>;
}

/** Answers have shown of late that the service ignores the filter. */
export function isIgnored(name: string, source: FilterSource): boolean {
  return Object.keys(probesOf(name, source)).every((probe) => source.known.isFilterApplied(probe) === false);
}

/** Rows contradict what answers have shown of the filter. */
export function doubtFilter(name: string, source: FilterSource): void {
  for (const probe in probesOf(name, source)) source.known.learnFilter(probe, undefined);
}

/**
 * Whether the service applies a filter, by itself or beside the others of the request. Some services apply a latitude with a
 * longitude alone. `page`: the rows by all of them. Makes no call where an answer has shown it of late.
 */
export async function isApplied(name: string, page: ListPage, source: FilterSource): Promise<boolean> {
  // Beside filters that leave no row, another one shows nothing.
  const probes = Object.entries(probesOf(name, source)).slice(0, page.count > 0 ? 2 : 1);
  if (probes.some(([probe]) => source.known.isFilterApplied(probe))) return true;
  for (const [probe, beside] of probes) if (await probeFilter(name, probe, beside, source)) return true;
  return false;
}

/** The filters beside which to ask this one: none, then all others. Each by the name under which answers are remembered. */
function probesOf(name: string, source: FilterSource): Record<string, Filters> {
  const { described, filters, known } = source;
  const others = filtersInUse(described, filters).filter(([each]) => each !== name);
  const beside = Object.fromEntries(others.map(([each]) => [known.filterName(each), filters[each] as string]));
  const checked = checkedBy(name, source);
  return { [checked]: {}, [[checked, ...Object.keys(beside)].join(' ')]: beside };
}

const checkedBy = (name: string, { described }: FilterSource) => described.filterChecks?.[name]?.checkedBy ?? name;

/** Asks the service for rows by other values, under each name of the filter. */
async function probeFilter(name: string, probe: string, beside: Filters, source: FilterSource): Promise<boolean> {
  const { filters, known } = source;
  const isKnown = known.isFilterApplied(probe);
  if (isKnown !== undefined) return isKnown;
  const checked = checkedBy(name, source);
  const filter = source.described.filterChecks?.[checked] as FilterCheck;
  const given = filters[name] as string;
  const absent = await absentValues(filter, given, beside, source);
  const isAlone = probe === checked;
  // The first row may have all values of the filter. Beside others, another value has to choose other rows than the given one.
  const others = isAlone ? [] : (filter.values ?? []).filter((value) => value !== given);
  const values = [absent, others, [given]].find((each) => each.length > 0) as string[];
  const isShown = absent.length > 0 && filter.shownBy.length > 0;
  const usual: Filters = isAlone ? {} : { ...beside, [known.filterName(name)]: given };
  const readUsual = () => source.firstRow(usual, true);
  const reading = isShown ? undefined : readUsual();
  const before = await reading?.catch(() => undefined);
  const names = new Set([known.filterName(checked), checked, filter.otherName ?? checked]);
  for (const [each, value] of [...names].flatMap((each) => values.map((value) => [each, value] as const))) {
    // The service has read rows by this name. If it refuses a value, it knows the filter.
    const orNone = (error: UpstreamError) =>
      each === known.filterName(name) && refusals.includes(error.status) ? none : Promise.reject(error);
    const page = await source.firstRow({ ...beside, [each]: value }).catch(orNone);
    const isMatch = absent.includes(value) && page.rows.every((row) => matches(filter, row, value, source));
    const isOther = async () => before && differs(page, [before]) && differs(page, [before, await readUsual()]);
    if (!isMatch && !(await isOther())) continue;
    known.learnFilterName(checked, each);
    known.learnFilter(probe, true);
    return true;
  }
  // Without these rows, nothing is shown.
  await reading;
  // Another value may leave rows out.
  if (isShown || (absent.length > 0 && !values.includes(given))) known.learnFilter(probe, false);
  return false;

  /**
   * The value has chosen other rows. By itself, a filter leaves rows out. Rows that come meanwhile make no list shorter, and
   * those that go make the whole list shorter too. Beside others, it may only switch one of them on. Its value then has to
   * change the count or the first row.
   */
  function differs({ count, rows: [row] }: ListPage, pages: readonly ListPage[]): boolean {
    const [id] = idsIn(row);
    const ids = new Set(pages.map(({ rows: [first] }) => idsIn(first)[0]));
    return (
      pages.every((page) => count > 0 && count < page.count) ||
      (!isAlone && (pages.every((page) => count > page.count) || (ids.size === 1 && !ids.has(id))))
    );
  }
}

const refusals: readonly unknown[] = [400, 404, 422];
const none: ListPage = { count: 0, rows: [] };

/** Values that the first row without the filter does not have. A filter that no property shows may be one of any kind. */
async function absentValues(
  filter: FilterCheck,
  given: string,
  beside: Filters,
  source: FilterSource,
): Promise<string[]> {
  const { compares, shownBy, values, times = 'unix' } = filter;
  if (compares === 'adds') return [given];
  const extremes = extreme[compares]?.map((value) =>
    value instanceof DateTime ? value.in(times).replace(/^-\d+$/, '0') : String(value),
  );
  if (extremes) return shownBy.length > 0 ? extremes.slice(0, 1) : [...extremes, given];
  if (values && shownBy.length === 0) return [given, ...values.filter((value) => value !== given)].slice(0, 4);
  const [row] = (await source.firstRow(beside)).rows;
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

/** Databases take no dates before 1753, and services no unix seconds before 1970. */
const [late, early] = ['2100-01-01T00:00:00Z', '1753-01-01T00:00:00Z'].map((time) => DateTime.parse(time) as DateTime);
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
