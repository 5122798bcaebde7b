import type { ListEndpointName } from './endpoint.ts';

/** A field that shows the rows of a list that refer to its object. */
export interface WayBack {
  list: ListEndpointName;
  /** Properties of the rows that refer to the object. */
  of: readonly string[];
  /** Parameter of the list that asks for the rows of one object. */
  by?: string;
  /** The field shows what this property of the newest row refers to. */
  gives?: string;
  /** Rows whose property is false do not count. */
  where?: string;
}
