import { type FieldNode, getArgumentValues } from 'graphql';
import { contractOf } from '../contract/of-schema.ts';
import type { WayBack } from '../contract/way-back.ts';
import type { Field } from '../graphql/executor/field-tree.ts';
import { defaultPageSize } from './lists/connection.ts';
import { type Filters, filtersOf } from './lists/filters.ts';

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
