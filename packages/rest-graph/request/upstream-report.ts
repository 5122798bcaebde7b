import type { CallReason, Subject } from '@gateway/upstream';
import type { SavedRead } from '../load/reader.ts';
import type { AccessPath, Choice, Cost } from '../plan/planner.ts';

/** One call of the REST service, as `extensions.upstream` shows it, without headers and bodies. */
export interface TracedCall {
  method: string;
  /** The path of the specification. */
  path: string;
  /** The id of the one object that the call was about; absent for lists. */
  id?: string;
  /** Filters of a list by their arguments, `limit` and `offset`; absent without any. */
  query?: NonNullable<Subject['query']>;
  /** HTTP status of the answer; null where none came. */
  status: number | null;
  /** Milliseconds, from the start of the operation and of the call itself. */
  start: number;
  ms: number;
  /** The part of `ms` in which the call waited for a connection. */
  queuedMs: number;
  /** The part of `ms` in which the service worked, by what the gateway has learnt of it. */
  workMs: number;
  /** Rows of a list, or 1 for one resource. */
  rows: number;
  /** The size of the answer's body; 0 where the call failed. */
  bytes: number;
  reason: CallReason;
  /** Fields of the operation: paths of root fields, and `Type.field` for references. */
  fields: string[];
  /** The number of the repetition, from 1; absent for the first attempt. */
  retry?: number;
}

/** A read or write that cost no call. `ms`: until the answer of a read in flight was there. */
export interface SavedCall
  extends Pick<TracedCall, 'method' | 'path' | 'id' | 'query' | 'start' | 'ms' | 'rows' | 'reason' | 'fields'> {
  by: SavedRead['by'];
}

/** How the gateway got the references of a batch, or the rows of a range, and what else there was. */
export interface TracedChoice extends Pick<TracedCall, 'path' | 'start' | 'fields'>, Pick<Choice, 'keys' | 'rows'> {
  chosen: TracedPath;
  others: readonly TracedPath[];
}

/** The figures of a path that are about the service. */
export type TracedPath = Omit<AccessPath, 'gatewayMs'>;

/** An expectation of what an operation takes, where no cache has a part of it. */
export type EstimatedCost = Omit<Cost, 'gatewayMs'>;

/** The estimate before the first call. */
export interface Estimate {
  /** The fewest calls that the operation can take. */
  least: number;
  /** About how many objects the operation asks for. */
  cost: number;
  /** Expected without caches; only in a trace that is shown. */
  expected?: EstimatedCost;
}

/** The answer to one operation, as `extensions.upstream` shows it. */
export interface UpstreamReport {
  estimate?: Estimate;
  total: number;
  calls: TracedCall[];
  saved: SavedCall[];
  choices: TracedChoice[];
  /** Choices beyond those that the report lists; absent where it lists all. */
  moreChoices?: number;
}
