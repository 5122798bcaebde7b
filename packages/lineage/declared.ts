import type { ListEndpointName } from '@gateway/contract';

/** The lineage of the rows of a list, as the key `x-lineage` declares it. */
export interface Lineage {
  list: ListEndpointName;
  /** The type of the rows. */
  kind: string;
  /** The reference of a row to the rows that it came from. */
  parents: string;
  /** References of a row to who gave it, and to who received it. */
  source: string;
  destination: string;
  /** The quantity of a row. */
  quantity: string;
  /** The fields that go back and forward. */
  back: string;
  forward: string;
  /** The field of a lot that has the row. */
  row: string;
}
