import type { ListEndpointName } from '@gateway/contract';

/** The totals of the rows of a list, as the key `x-totals` declares them. */
export interface Totals {
  list: ListEndpointName;
  /** The type of the rows. */
  kind: string;
  /** Properties by which clients may group: references, enums and texts. */
  groupBy: readonly string[];
  /** Those of them that are enums of the graph. */
  enums: readonly string[];
  /** The property with the time of a row. Its month groups too. */
  month?: string;
  /** The reference that always divides, because sums across it mean nothing. */
  unit?: string;
  /** Properties to sum. */
  sums: readonly string[];
  /** Sums of the objects that a row embeds. */
  inside: readonly Inside[];
  /** Fields of objects, with the totals of the rows that refer to them. */
  on: readonly OwnTotals[];
  /** Fields of objects, with what came in and went out. */
  balances: readonly Balance[];
}

export interface Inside {
  /** The field of a group. */
  field: string;
  /** The property with the embedded objects, and their type. */
  of: string;
  kind: string;
  /** The reference of such an object that divides. Objects without it do not count. */
  by: string;
  sums: readonly string[];
}

export interface OwnTotals {
  /** The type that has the field. */
  type: string;
  field: string;
  /** References of a row to the object. */
  of: readonly string[];
  /** Argument of the list that asks for the rows of one object. */
  by?: string;
}

export interface Balance {
  type: string;
  field: string;
  /** References of a row to who receives, and to who gives. */
  in: string;
  out: string;
  /** The reference that divides. */
  of: string;
  /** The property to sum. */
  sum: string;
  /** The property of rows that came in with what is left of them. */
  left?: string;
}

/** The types of the graph that show totals of rows of a kind. */
export function totalsTypes(kind: string) {
  return { group: `${kind}Group`, totals: `${kind}Totals`, total: `${kind}Total` };
}

/** The type of a sum of embedded objects, inside a total. */
export function insideType(kind: string, { by }: Pick<Inside, 'by'>): string {
  return `${kind}${upperFirst(by)}Total`;
}

/** The types of a balance, and the field that lists its items. */
export function balanceTypes({ type, field, of }: Pick<Balance, 'type' | 'field' | 'of'>) {
  const balance = `${type}${upperFirst(field)}`;
  return { balance, item: `${type}${upperFirst(of)}${upperFirst(field)}`, items: `${of}s` };
}

/** `BookLoan` → `bookLoanTotals`. */
export function rootFieldOf(kind: string): string {
  return `${kind.charAt(0).toLowerCase()}${kind.slice(1)}Totals`;
}

/** The value of the enum that stands for a property: `lentBy` → `LENT_BY`. */
export function groupName(property: string): string {
  return property.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
}

/** The value of the enum that stands for the month. */
export const month = 'MONTH';

/** `payment_type` → `PaymentType`. */
function upperFirst(name: string): string {
  return name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
