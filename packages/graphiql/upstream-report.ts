/** `extensions.upstream` of an answer to a request with `X-Trace-Upstream: true`; see docs/trace-and-cost.md. */
export interface UpstreamReport {
  /** Absent where the operation is not valid. */
  estimate?: Estimate;
  total: number;
  calls: UpstreamCall[];
  saved: SavedRead[];
  choices: Choice[];
  /** Fragments with `@defer`, and the milliseconds after which each came. */
  deferred?: { path: string[]; label?: string; objects?: number; ms?: number }[];
}

/** Known before the first call. */
export interface Estimate {
  least: number;
  /** Expected where no cache has a part of it. */
  expected?: { calls: number; ms: number; workMs: number };
  /** The same for the first part, where fragments come later. */
  first?: { calls: number; ms: number; workMs: number };
}

export interface UpstreamCall {
  method: string;
  /** As in the contract, with `{hashid}` for ids. */
  path: string;
  id?: string;
  /** Filters, `limit` and `offset` of a list. */
  query?: Record<string, string | number>;
  /** Null where no answer came. */
  status: number | null;
  /** Milliseconds from the start of the operation. */
  start: number;
  ms: number;
  /** The part of `ms` before the call had a connection. */
  queuedMs: number;
  /** The part of `ms` in which the service worked, as the gateway has learnt. */
  workMs: number;
  rows: number;
  bytes: number;
  reason: string;
  /** Fields of the operation that needed the call. */
  fields: string[];
  /** The number of the repetition, from 1; absent for the first attempt. */
  retry?: number;
}

export interface SavedRead
  extends Pick<UpstreamCall, 'method' | 'path' | 'id' | 'query' | 'start' | 'ms' | 'rows' | 'reason' | 'fields'> {
  by: string;
}

/** How the gateway got the references of a batch or the rows of a list, and the other ways. */
export interface Choice extends Pick<UpstreamCall, 'path' | 'start' | 'fields'> {
  chosen: AccessPath;
  others: AccessPath[];
}

/** One way to get what a batch needs, as the gateway expects it. */
export interface AccessPath {
  /** Calls by id, and pages of a list. Expected numbers can be fractions. */
  gets: number;
  pages: number;
  /** Pages that are read at once, before all other calls. */
  width: number;
  /** Milliseconds until the last answer. */
  ms: number;
  /** Milliseconds that the service works. */
  workMs: number;
}
