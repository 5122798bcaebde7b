import type { FieldTree } from '@gateway/base';
import type { RequestContext } from '@gateway/rest-graph';
import type { GraphQLError } from 'graphql';

/** Consecutive rows of a list. */
export interface ListWindow {
  /** As in a JSON answer. */
  rows: readonly unknown[];
  errors: readonly GraphQLError[];
  /** The place after the last row; null where there is none. */
  cursor: string | null;
  hasNext: boolean;
  /** Rows of the whole list. Undefined where there is no list. */
  total?: number;
}

export type ErrorPath = readonly (string | number)[];

/** The row that an error is about, and the path from that row. */
export interface RowPlace {
  index: number;
  path: ErrorPath;
}

/** The rows that a file shows, read window by window. */
export interface RowSource {
  readonly operationName: string | undefined;
  /** The name of the field in the schema. */
  readonly name: string;
  /** The client wants no more rows. */
  readonly maxRows: number;
  readonly after: string | null;
  readonly tree: FieldTree;
  /** @throws GraphQLError where the rows themselves have failed, or the window does not fit the limits. */
  read(context: RequestContext, range: { first: number; after: string | null }): Promise<ListWindow>;
  /** Undefined for an error about rows that are not in the window. */
  rowAt(path: ErrorPath): RowPlace | undefined;
}
