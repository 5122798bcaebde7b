import type { Body, Field, Fields } from '../framework/fields.ts';
import type { SandboxSeed } from '../framework/options.ts';
import type { Random } from '../framework/random.ts';
import type { Session } from '../framework/session.ts';
import type { Row, Store, Table } from '../framework/store.ts';

export type ResourceName = keyof SandboxSeed;

/** The place of a row among those of its resource, and the rows that it can refer to. */
export interface RowPlace {
  /** From 0 on. */
  n: number;
  createdOn: string;
  store: Store;
  /** Gives this row the same values in each run, whatever the other rows are. */
  random: Random;
  /** The row of the same place of another resource, which is made where the seed has fewer. */
  own(name: ResourceName): Row;
  /** Another resource's row for `field`: each in turn, or a new one where the seed leaves that resource out. */
  next(name: ResourceName, field: string): Row;
}

/** How rows of one resource come to be. */
export interface RowSource {
  table: Table;
  names: string[];
  /** The values of fields that a row leaves out. */
  fill(row: Record<string, unknown>, place: RowPlace): Record<string, unknown>;
  field: Field<unknown>;
  add(session: Session, body: unknown): Row;
}

interface RowSourceOptions<SeedRow, F extends Fields> {
  table: Table;
  fields: F;
  field: Field<Body<F>>;
  fill(row: SeedRow, place: RowPlace): SeedRow;
  add(session: Session, body: Body<F>): Row;
}

/** Hides the types of one resource, so that a list can hold all. */
export function rowSource<SeedRow>() {
  return <F extends Fields>({ fields, ...source }: RowSourceOptions<SeedRow, F>): RowSource => ({
    ...(source as unknown as RowSource),
    names: [...new Set(['id', 'created_on', ...Object.keys(fields)])],
  });
}
