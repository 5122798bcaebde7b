import { UpstreamError } from '@gateway/base';
import type { EndpointName } from '@gateway/contract';
import type { ListPage } from '@gateway/upstream';
import { doubtFilter, type FilterSource, isApplied, isIgnored } from './filter-probe.ts';
import type { Filters, Named } from './filters.ts';
import { allMatch, valuesOf } from './row-matches.ts';

/**
 * Services ignore query parameters that they do not know, and answer all rows. The gateway therefore makes sure of each
 * filter. Each row must match it. Where a page does not show that the service applies it, a value of no row must give no row.
 * A filter that adds rows must come with the property that marks them.
 */

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
  const ignored = used.filter(([name]) => isIgnored(name, source));
  requireNone(endpoint, ignored);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    // The filters under the names that the service has shown to know.
    const query = Object.fromEntries(Object.entries(filters).map(([name, value]) => [known.filterName(name), value]));
    const page = await read(query).catch((error: unknown) => {
      const ofIds = used.filter(([, { compares }]) => compares === 'ids');
      if (!(error instanceof UpstreamError) || error.status !== 500 || ofIds.length === 0) throw error;
      throw refused(ofIds, 'The service fails, as it does on an id that it never gave.', error);
    });
    await requireApplied(used, query, page, source);
    if (used.every(([name]) => known.filterName(name) in query)) return page;
  }
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
  const shown = new Map(used.map(([name, filter]) => [name, allMatch(filter, page, filters[name] as string, source)]));
  const suspects = await suspectsAmong(used, page, shown, source);
  const isKnown = suspects.every(([name, { checkedBy = name }]) => known.isFilterApplied(checkedBy));
  // An empty list would show that each filter is applied.
  if (page.count === 0 && (isKnown || (await source.firstRow({})).count === 0)) return;
  // Another page of the list may have shown another name meanwhile.
  const current = suspects.filter(([name]) => known.filterName(name) in query);
  for (const [name] of current) if (shown.get(name) === false) doubtFilter(name, source);
  const isFailed = async ([name, { compares }]: Named) => {
    // A switch has no value of no row.
    if (compares === 'adds' && shown.get(name)) known.learnFilter(name, true);
    const isObeyed = compares === 'amounts' || (await isApplied(name, page, source));
    return !isObeyed || (shown.get(name) === false && known.filterName(name) in query);
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

function refuseWrongValues(used: readonly Named[], { contract, filters }: FilterSource): void {
  const wrong = used.filter(([name, filter]) => {
    const isPossible = (value: string) =>
      filter.values?.includes(value) ?? (filter.compares !== 'ids' || contract.isPossibleId(value));
    return !valuesOf(filter, filters[name] as string).every(isPossible);
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
