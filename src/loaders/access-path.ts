/** One way to get the objects of a batch, or the rows of a range. The figures are expected ones. */
export interface AccessPath {
  gets: number;
  pages: number;
  /** Rows of all pages. */
  rows: number;
  /** Milliseconds until the last answer. */
  ms: number;
  /** Milliseconds that the service works, the sum over all calls. */
  workMs: number;
}

/** The access path that the gateway takes, and the others that it compared. */
export interface Choice {
  /** Objects that the batch needs. */
  keys?: number;
  /** Rows that the range has. */
  rows?: number;
  chosen: AccessPath;
  others: readonly AccessPath[];
}
