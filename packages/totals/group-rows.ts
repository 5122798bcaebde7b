import { codedError, decimalSum, inTurn, type Json, madeOnce } from '@gateway/base';
import { idOf } from '@gateway/rest-graph';

/** A property of groups that divides rows. References have the object where the row embeds it, and the id otherwise. */
export interface Key {
  field: string;
  of(row: Json): Json | string | null;
}

/** How rows are divided, and the objects inside the rows of a group. */
export interface Grouping {
  keys: readonly Key[];
  inside?: readonly { field: string; of(row: Json): readonly Json[]; grouping: Grouping }[];
}

/** A group as the graph shows it, with the values of its keys. */
export interface Group extends Json {
  count: number;
  /** The rows of the group, to sum. */
  rows: readonly Json[];
}

/** Rows that are put into their groups in one turn of the event loop: some milliseconds. */
const rowsPerTurn = 1_000;

/** A row that is put into its group takes as long as looking at so many. */
export const workOfRow = 5;

/**
 * Groups in the order of their keys, made in turns of the event loop. Ids and texts are in the order of their characters,
 * and null comes last.
 */
export async function groupsOf(rows: readonly Json[], { keys, inside = [] }: Grouping): Promise<Group[]> {
  const byText = new Map<string, { texts: readonly (string | null)[]; rows: Json[]; values: Json }>();
  for (const [at, row] of rows.entries()) {
    if (at % rowsPerTurn === rowsPerTurn - 1) await new Promise<void>(inTurn);
    const values = keys.map(({ of }) => of(row));
    const texts = values.map((value) => (value === null ? null : idOf(value)));
    const name = JSON.stringify(texts);
    const group = madeOnce(byText, name, () => ({ texts, rows: [], values: {} }));
    group.rows.push(row);
    for (const [index, { field }] of keys.entries()) {
      const value = values[index];
      // Some rows embed the object, and others have its id alone.
      if (typeof group.values[field] !== 'object' || group.values[field] === null) group.values[field] = value;
    }
  }
  const groups: Group[] = [];
  for (const { values, rows } of [...byText.values()].toSorted((a, b) => compared(a.texts, b.texts))) {
    const group: Group = { ...values, count: rows.length, rows };
    for (const { field, of, grouping } of inside) group[field] = await groupsOf(rows.flatMap(of), grouping);
    groups.push(group);
  }
  return groups;
}

function compared(a: readonly (string | null)[], b: readonly (string | null)[]): number {
  const at = a.findIndex((text, index) => text !== b[index]);
  const [one, other] = [a[at] ?? null, b[at] ?? null];
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  return one < other ? -1 : 1;
}

/**
 * The exact sum of a property. Null where no row has a value.
 * @throws UPSTREAM_INVALID_RESPONSE for a value that is no number, because the sum without it is wrong.
 */
export function sumOf(rows: readonly Json[], property: string): string | null {
  const values = rows
    .map((row) => row[property])
    .filter((value) => value !== undefined && value !== null && value !== '');
  if (values.length === 0) return null;
  const sum = decimalSum(values);
  if (sum !== undefined) return sum;
  const wrong = values.filter((value) => decimalSum([value]) === undefined).length;
  const message = `The service gives ${wrong} of these ${rows.length} rows with a \`${property}\` that is no number, so there is no sum.`;
  throw codedError('UPSTREAM_INVALID_RESPONSE', message);
}
