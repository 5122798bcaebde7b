import { decodeId } from './ids.ts';
import { Crash, invalid } from './refusal.ts';
import type { Session } from './session.ts';
import { type Condition, equal, type Table, type Tables } from './store.ts';

export interface ListQuery {
  /** Path below the origin. */
  path: string;
  query: URLSearchParams;
  maxPageSize: number;
  shufflesTies: boolean;
  olderFilters: boolean;
}

export const newestFirst = 'created DESC, n DESC';
const defaultPageSize = 10;

/** Makes a condition of a parameter's text; undefined for a text that is no value. Empty texts filter nothing. */
export type Filters = Record<string, (value: string) => Condition | undefined>;

export const contains =
  (field: string) =>
  (value: string): Condition => ({ sql: `icontains(doc ->> '${field}', ?)`, values: [value] });

export const exactly = (field: string) => (value: string) => equal(field, value);

/** A parameter that the service does not know. */
export const ignored = (): Condition => ({ sql: 'TRUE', values: [] });

/** Compares a column of microseconds with unix seconds. */
export const time = (comparison: string) => (value: string) => {
  const [, operator] = comparison.split(' ');
  const seconds = Number(value);
  return Number.isFinite(seconds) && operator
    ? { sql: `${comparison} ?`, values: [Math.round(seconds * 1e6)] }
    : undefined;
};

/** The filters of a list. Each kind adds to those before it, or replaces them. */
interface ListFilters {
  filters?: Filters;
  /** Those that the specification lacks. */
  connectFilters?: Filters;
  /** Those of the newer version of the real service alone. */
  newerFilters?: Filters;
  /** Those of the older version alone. */
  olderFilters?: Filters;
}

/** One page of a table in the pagination envelope. */
export function page<T extends Table, R extends Tables[T]>(
  session: Session,
  request: ListQuery,
  options: ListFilters & { table: T; where?: Condition[]; order?: string; show: (row: R) => unknown },
) {
  const { table, order = newestFirst, show } = options;
  const { query } = request;
  const entity = query.get('entity');
  const isId = (text: string) => decodeId(text) !== undefined || session.store.names().includes(text);
  if (session.connect && entity !== null && !isId(entity)) throw new Crash();
  const where = [...(options.where ?? []), ...conditions(filtersOf(session, request, options), query)];
  const limit = Math.min(positiveInteger(query.get('limit')) ?? defaultPageSize, request.maxPageSize);
  const offset = positiveInteger(query.get('offset')) ?? 0;
  const count = session.store.count(table, where);
  const sqlOrder = request.shufflesTies && order === newestFirst ? newestFirstWithTies(limit, offset) : order;
  const link = (start: number) => pageUrl(session, request, limit, start);
  return {
    count,
    next: offset + limit < count ? link(offset + limit) : null,
    previous: offset > 0 ? link(offset - limit) : null,
    results: (session.store.list(table, where, { order: sqlOrder, limit, offset }) as R[]).map(show),
  };
}

/**
 * The real service orders by time alone, and PostgreSQL sorts each page anew. Rows of the same time come in another order
 * for each `limit` and `offset`.
 */
function newestFirstWithTies(limit: number, offset: number): string {
  const seed = limit * 31 + offset * 17;
  return `created DESC, (n * 7919 + ${seed} * ((n * 104729 + ${seed}) % 97)) % 1009, n`;
}

function filtersOf({ connect }: Session, { olderFilters }: ListQuery, options: ListFilters): Filters {
  if (!connect) return { ...options.filters };
  const { filters, connectFilters, newerFilters } = options;
  return { ...filters, ...connectFilters, ...(olderFilters ? options.olderFilters : newerFilters) };
}

function conditions(filters: Filters, query: URLSearchParams): Condition[] {
  const found: Condition[] = [];
  const errors: Record<string, string[]> = {};
  for (const [name, filter] of Object.entries(filters)) {
    const value = query.getAll(name).at(-1);
    if (!value) continue;
    const condition = filter(value);
    if (condition) found.push(condition);
    else errors[name] = ['Enter a number.'];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return found;
}

/** Undefined for zero, negative numbers and other texts, for which the real service takes its default. */
function positiveInteger(text: string | null): number | undefined {
  const number = text !== null && /^\d+$/.test(text.trim()) ? Number(text) : 0;
  return number > 0 ? Math.min(number, Number.MAX_SAFE_INTEGER) : undefined;
}

/** The address of the page at `offset`, with every parameter of the request, sorted. */
function pageUrl(session: Session, { path, query }: ListQuery, limit: number, offset: number): string {
  const parameters = new URLSearchParams(query);
  parameters.set('limit', String(limit));
  if (offset > 0) parameters.set('offset', String(offset));
  else parameters.delete('offset');
  parameters.sort();
  return `${session.origin}${path}?${parameters}`;
}
