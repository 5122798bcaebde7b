/** What `X-Trace-Upstream: true` adds to an answer as `extensions.upstream`; see docs/trace-and-cost.md. */
export interface UpstreamReport {
  /** Absent where the operation is not valid. */
  estimate?: { least: number; most: number };
  total: number;
  calls: UpstreamCall[];
  saved: SavedRead[];
}

export interface UpstreamCall {
  method: string;
  /** Of the specification, with `{hashid}` for ids. */
  path: string;
  /** Null where no answer came. */
  status: number | null;
  /** Milliseconds from the start of the operation. */
  start: number;
  ms: number;
  rows: number;
  reason: string;
  /** Those that asked for it. */
  fields: string[];
  /** Which time a read is made again, from 1; absent the first time. */
  retry?: number;
}

export interface SavedRead extends Pick<UpstreamCall, 'method' | 'path' | 'rows' | 'reason' | 'fields'> {
  by: string;
}
