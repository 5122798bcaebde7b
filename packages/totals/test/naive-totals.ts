import type { Row } from '../../../test/support/rest-reads.ts';

const decimals = 12;

/** A number as parts, of which there are 10 ** 12 in 1. */
function partsOf(value: unknown): bigint {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value))!;
  return BigInt(`${sign}${whole}${fraction.padEnd(decimals, '0')}`);
}

/** The sum of texts and numbers in plain notation. Zeros at the end of a sum do not count. */
export function naiveSum(values: readonly unknown[]): bigint | null {
  const there = values.filter((value) => value !== null && value !== undefined);
  return there.length === 0 ? null : there.map(partsOf).reduce((sum, parts) => sum + parts, 0n);
}

/** A sum of the gateway, in the same form. */
export const partsIn = (sum: string | null) => (sum === null ? null : partsOf(sum));

type Keys = Readonly<Record<string, (row: Row) => string | null>>;

/** The property of a row with its month. */
export function monthOf({ date }: Row): string | null {
  return typeof date === 'string' ? new Date(date).toISOString().slice(0, 7) : null;
}

/** Rows in groups, each with the values of its keys, in the order of the gateway. */
export function naiveGroups(rows: readonly Row[], keys: Keys): { keys: Row; rows: Row[] }[] {
  const found = new Map<string, { keys: Row; rows: Row[] }>();
  for (const row of rows) {
    const values = Object.fromEntries(Object.entries(keys).map(([name, of]) => [name, of(row)]));
    const name = JSON.stringify(values);
    if (!found.has(name)) found.set(name, { keys: values, rows: [] });
    found.get(name)!.rows.push(row);
  }
  const rank = (value: string | null) => (value === null ? '￿' : value);
  const text = ({ keys }: { keys: Row }) => Object.values(keys).map(rank);
  return [...found.values()].toSorted((a, b) => {
    const [one, other] = [text(a), text(b)];
    const at = one.findIndex((value, index) => value !== other[index]);
    return at < 0 ? 0 : one[at]! < other[at]! ? -1 : 1;
  });
}
