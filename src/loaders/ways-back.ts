import { type FieldNode, getArgumentValues } from 'graphql';
import { contractOf } from '../contract/of-schema.ts';
import type { Field } from '../graphql/executor/field-tree.ts';
import type { ListEndpointName } from '../upstream/endpoints.ts';
import { defaultPageSize } from './lists/connection.ts';
import { type Filters, filtersOf } from './lists/filters.ts';

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

/** The rows that a field asks for, of each object. */
export interface RowsWanted {
  filters: Filters;
  limit: number;
}

/** The tree of fields is made for the values of these arguments. */
export function rowsWantedBy(field: Field, { list, gives }: WayBack): RowsWanted {
  const args = getArgumentValues(field.definition, field.nodes[0] as FieldNode, field.tree.conditions);
  const limit = gives ? 1 : ((args.limit as number | null | undefined) ?? defaultPageSize);
  return { filters: filtersOf(contractOf(field.tree.schema).endpoint(list), args), limit };
}
