import { isObject } from '../lib/json.ts';
import type { DialectName } from '../upstream/dialect.ts';
import { endpoints, type ListEndpointName, type OptionalFilter } from '../upstream/endpoints.ts';
import { UpstreamError } from '../upstream/errors.ts';
import type { FilterSupport } from '../upstream/filter-support.ts';
import type { ListPage } from '../upstream/list-page.ts';
import { isPossibleId } from '../upstream/request-path.ts';
import { isInternalNumber, isRow } from './references.ts';
import { type Filters, isWhole, type RowsList } from './rows-request.ts';
import { secondsOf } from './ties.ts';

/**
 * Services ignore query parameters that they do not know, and answer all rows. The gateway therefore checks a filter that not
 * every service has. The dialect must have it, each row must match it, and a value of no row must give no row.
 */

export interface FilterSource {
  support: FilterSupport;
  dialect(): Promise<DialectName>;
  /** The first row of the list with these filters. */
  firstRow(filters: Filters): Promise<ListPage>;
}

type Named = [name: string, filter: OptionalFilter];

const none: readonly Named[] = [];

/** The filters in use that not every service has. */
export function optionalFiltersOf({ endpoint, filters }: RowsList): readonly Named[] {
  const { optionalFilters } = endpoints[endpoint];
  return optionalFilters && !isWhole(filters)
    ? Object.entries(optionalFilters).filter(([name]) => name in filters)
    : none;
}

/**
 * Reads rows, and makes sure that the filters chose them.
 * @throws UpstreamError BAD_USER_INPUT for a filter that the service lacks, before the read where that is known.
 */
export async function readFiltered(
  list: RowsList,
  used: readonly Named[],
  read: () => Promise<ListPage>,
  source: FilterSource,
): Promise<ListPage> {
  const { endpoint, filters } = list;
  const dialect = await source.dialect();
  const lacking = used.filter(([, filter]) => filter.dialect !== dialect);
  if (lacking.length > 0) throw lacks(lacking, dialect);
  refuseWrongValues(used, filters);
  const refuse = (found: readonly Named[]) => {
    if (found.length > 0) throw ignores(endpoint, found);
  };
  refuse(used.filter(([name, { checkedBy = name }]) => source.support.isApplied(endpoint, checkedBy) === false));
  const page = await read().catch((error: unknown) => {
    const ofIds = used.filter(([, { compares }]) => compares === 'ids');
    if (!(error instanceof UpstreamError) || error.status !== 500 || ofIds.length === 0) throw error;
    throw refused(ofIds, 'The service fails, as it does on an id that it never gave.', error);
  });
  // Filters that the service ignores leave no row out. One that it applies in another way may.
  const suspects = page.count > 0 ? used : used.filter(([, { checkedBy }]) => checkedBy !== undefined);
  if (page.count === 0 && (await hasNoRows(suspects, list, source))) return page;
  const isUnmatched = ([name, filter]: Named) => {
    const value = filters[name] as string;
    // Rows show the id in place of an internal number.
    if (filter.compares === 'ids' && isInternalNumber(value)) return false;
    return filter.shownBy.length > 0 && page.rows.some((row) => isRow(row) && !matches(filter, row, value));
  };
  const unmatched = used.filter(isUnmatched);
  for (const [name, { checkedBy = name }] of unmatched) source.support.clear(endpoint, checkedBy);
  const applied = await Promise.all(suspects.map(([name]) => isApplied(list, name, source)));
  refuse(suspects.filter((filter, index) => !applied[index] || unmatched.includes(filter)));
  return page;
}

/** Whether the service may apply a filter, as far as a read has shown it. */
export async function mayApply(endpoint: ListEndpointName, name: string, source: FilterSource): Promise<boolean> {
  const filter = endpoints[endpoint].optionalFilters?.[name];
  if (!filter) return true;
  const isIgnored = source.support.isApplied(endpoint, filter.checkedBy ?? name) === false;
  return !isIgnored && (await source.dialect()) === filter.dialect;
}

/** The whole list is empty, or nothing is to be found out about the filters. An empty list would show that each is applied. */
async function hasNoRows(used: readonly Named[], { endpoint }: RowsList, { support, firstRow }: FilterSource) {
  const isKnown = used.every(([name, { checkedBy = name }]) => support.isApplied(endpoint, checkedBy));
  return isKnown || (await firstRow({})).count === 0;
}

/** Asks the service for rows that do not match, unless it has shown of late what it does. */
async function isApplied({ endpoint, filters }: RowsList, name: string, source: FilterSource): Promise<boolean> {
  const all = endpoints[endpoint].optionalFilters ?? {};
  const checked = all[name]?.checkedBy ?? name;
  const known = source.support.isApplied(endpoint, checked);
  if (known !== undefined) return known;
  const filter = all[checked] as OptionalFilter;
  const value = await absentValue(filter, filters[name] as string, source);
  if (value === undefined) return false;
  const { rows } = await source.firstRow({ [checked]: value });
  const applied = rows.every((row) => matches(filter, row, value));
  source.support.learn(endpoint, checked, applied);
  return applied;
}

/** A value that the first row of the whole list does not have. */
async function absentValue({ compares, shownBy, values }: OptionalFilter, given: string, source: FilterSource) {
  if (compares === 'times') return latestTime;
  if (compares === 'texts') return absentText;
  const [row] = (await source.firstRow({})).rows;
  // The service fails on the row, and with it on the check if it ignores the filter.
  if (!isRow(row) && !values) return isInternalNumber(given) ? undefined : given;
  // The service fails on an id that none of its objects has. Ids of other objects may be equal to those of the filter.
  const candidates = values ?? idFields.map((field) => valueAt(row, field));
  const shown = shownBy.map((place) => valueAt(row, place));
  return candidates.find((value) => typeof value === 'string' && !shown.includes(value)) as string | undefined;
}

/** The year 2100. */
const latestTime = '4102444800';
const absentText = 'a text of no row';
const idFields = ['id', 'product', 'creator', 'updater'];

function matches({ compares, shownBy }: OptionalFilter, row: unknown, value: string): boolean {
  return shownBy.some((place) => {
    const shown = valueAt(row, place);
    // The service shows whole seconds.
    if (compares === 'times') return (secondsOf(shown) ?? 0) >= Math.floor(Number(value));
    if (compares === 'texts') return upper(shown).includes(upper(value).trim());
    return shown === value;
  });
}

/** Services compare texts without their case as PostgreSQL does, in capital letters. */
const upper = (text: unknown) => String(text ?? '').toUpperCase();

/** `card.card_id` is a property of the object `card`. */
function valueAt(row: unknown, place: string): unknown {
  return place.split('.').reduce((value, key) => (isObject(value) ? value[key] : undefined), row);
}

function refuseWrongValues(used: readonly Named[], filters: Filters): void {
  const wrong = used.filter(([name, { compares, values }]) => {
    const value = filters[name] as string;
    return values ? !values.includes(value) : compares === 'ids' && !isPossibleId(value);
  });
  if (wrong.length > 0) throw refused(wrong, 'No row of the service can have this value.');
}

function lacks(filters: readonly Named[], dialect: DialectName): UpstreamError {
  const text = `The dialect \`${dialect}\` of the service (UPSTREAM_DIALECT) has no such filter. Leave the argument out.`;
  return refused(filters, text);
}

function ignores(endpoint: ListEndpointName, filters: readonly Named[]): UpstreamError {
  const settings = filters.map(([name]) => `upstream.filters.${endpoint}.${name}`).join(', ');
  const text = `The service does not apply this filter, because it is too old or calls the filter differently (${settings}). Leave the argument out.`;
  return refused(filters, text);
}

/** `cause`: the failure of the service, unless the gateway refuses the filters. */
function refused(filters: readonly Named[], text: string, cause?: UpstreamError): UpstreamError {
  const names = filters.map(([name]) => `\`${name}\``).join(', ');
  const fields = filters.map(([name]) => ({ path: [name], message: text }));
  const status = cause?.status === undefined ? {} : { status: cause.status };
  return new UpstreamError(cause?.code ?? 'BAD_USER_INPUT', `${names}: ${text}`, { fields, ...status, cause });
}
