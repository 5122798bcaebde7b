import type { Choice, SavedRead, UpstreamCall, UpstreamReport } from './upstream-report.ts';

/** One line of the waterfall: a call, or a read or write that cost no call. */
export interface CallRow {
  /** The last word of the path, after the method of a write. */
  name: string;
  /** The id or the rows: two calls of one endpoint differ in them. */
  subject: string;
  /** Method, path and query. */
  request: string;
  start: number;
  ms: number;
  rows: number;
  reason: string;
  /** Fields of the operation that asked. */
  fields: string[];
  /** Absent for what cost no call. */
  call?: UpstreamCall;
  /** The status, or `no answer`, of a call that failed. */
  failure?: string;
  /** The reason why there was no call. */
  savedBy?: string;
  /** How the gateway chose the way that the call is a part of; absent where there was one way. */
  choice?: Choice;
}

/** Calls and what cost none, in the order in which they began. */
export function callRows({ calls, saved, choices }: UpstreamReport): CallRow[] {
  const rows = [
    ...calls.map((call) => ({ ...rowOf(call, choices), call, ...failureOf(call) })),
    ...saved.map((read) => ({ ...rowOf(read, choices), savedBy: read.by })),
  ];
  return rows.toSorted((a, b) => a.start - b.start);
}

function rowOf(read: UpstreamCall | SavedRead, choices: readonly Choice[]): CallRow {
  const { method, path, id, query, start, ms, rows, reason, fields } = read;
  const words = path.split('/').filter((word) => word !== '' && word !== '{hashid}');
  const name = words.at(-1) ?? path;
  const choice = choiceOf(read, choices);
  return {
    name: method === 'GET' ? name : `${method} ${name}`,
    subject: id ?? subjectOf(query),
    request: `${method} ${path.replace('{hashid}', id ?? '{hashid}')}${queryOf(query)}`,
    start,
    ms,
    rows,
    reason,
    fields,
    ...(choice && { choice }),
  };
}

/** The filters and rows of a page: `search=EUR, rows 21–40`. */
function subjectOf({ limit, offset = 0, ...filters }: UpstreamCall['query'] = {}): string {
  const texts = Object.entries(filters).map(([name, value]) => `${name}=${value}`);
  if (limit !== undefined)
    texts.push(limit === 1 ? `row ${Number(offset) + 1}` : rangeOf(Number(offset), Number(limit)));
  return texts.join(', ');
}

function rangeOf(offset: number, limit: number): string {
  return `rows ${offset + 1}–${offset + limit}`;
}

function queryOf(query: UpstreamCall['query'] = {}): string {
  const parts = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

function failureOf({ status }: UpstreamCall): Pick<CallRow, 'failure'> {
  if (status === null) return { failure: 'no answer' };
  return status >= 400 ? { failure: String(status) } : {};
}

/** Times of the trace are rounded, so that a call may seem to begin before its choice. */
const roundingMs = 0.1;

/** The last choice before the call that was for its fields, about its list or the list of its object. */
function choiceOf({ path, start, fields }: UpstreamCall | SavedRead, choices: readonly Choice[]): Choice | undefined {
  return choices.findLast(
    (choice) =>
      choice.others.length > 0 &&
      choice.start <= start + roundingMs &&
      choice.fields.some((field) => fields.includes(field)) &&
      choice.path === path.replace('{hashid}/', ''),
  );
}

/** The sums of all calls of an operation. */
export function totalsOf({ calls, saved }: UpstreamReport) {
  return {
    calls: calls.length,
    retries: calls.filter(({ retry }) => retry !== undefined).length,
    failed: calls.filter((call) => failureOf(call).failure !== undefined).length,
    saved: saved.length,
    workMs: calls.reduce((sum, { workMs }) => sum + workMs, 0),
    bytes: calls.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Round numbers of milliseconds from 0 on: at most five, of which none is later than `endMs`. */
export function ticksOf(endMs: number): number[] {
  const least = endMs / 5;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
  return Array.from({ length: Math.floor(endMs / step) + 1 }, (_, place) => Number((place * step).toPrecision(6)));
}
