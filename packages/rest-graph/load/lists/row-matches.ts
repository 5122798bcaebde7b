import { isObject } from '@gateway/base';
import type { Contract, Endpoint, FilterCheck } from '@gateway/contract';
import { isRow, type ListPage } from '@gateway/upstream';
import { withoutLabel } from '../references.ts';
import { secondsOf } from './order.ts';

/** A list, as its contract describes it. */
export interface Described {
  contract: Contract;
  described: Endpoint;
}

/** Whether each row matches. Undefined where the rows do not show it. */
export function allMatch(filter: FilterCheck, { rows }: ListPage, value: string, list: Described): boolean | undefined {
  // Rows show the id in place of an internal number.
  const isInternal = (each: string) => list.contract.isInternalNumber(each);
  if (filter.compares === 'ids' && valuesOf(filter, value).some(isInternal)) return undefined;
  const matching = rows.filter(isRow).map((row) => matches(filter, row, value, list));
  if (matching.includes(false)) return false;
  return matching.length === 0 || matching.includes(undefined) ? undefined : true;
}

/** Undefined where the row does not show it. Rows match one of several values, or all. */
export function matches(filter: FilterCheck, row: unknown, value: string, list: Described): boolean | undefined {
  return some(valuesOf(filter, value).map((each) => matchesOne(filter, row, each, list)));
}

export const valuesOf = ({ join }: FilterCheck, value: string) => (join === undefined ? [value] : value.split(join));
const some = (found: readonly (boolean | undefined)[]) =>
  found.includes(true) || (found.includes(undefined) ? undefined : false);

function matchesOne({ compares, shownBy }: FilterCheck, row: unknown, value: string, list: Described) {
  const shown = shownBy.map((place) => shownAt(row, place, list)).filter((each) => each !== undefined);
  if (compares === 'adds') return shown.length > 0;
  if (shown.length === 0) return undefined;
  if (compares === 'words') return wordsIn(value).every((word) => shown.some((each) => compare.texts(each, word)));
  return some(shown.map((each) => compare[compares](each, value)));
}

/** Undefined for anything but numbers. Null is beyond each bound, or within. */
const numbers = (order: (shown: number, value: number) => boolean) => (shown: unknown, value: unknown) => {
  const [one, other] = [Number(shown ?? Number.NaN), Number(value ?? Number.NaN)];
  return Number.isNaN(one + other) ? undefined : order(one, other);
};

/** Undefined for times of two forms: dates, and times without a zone, depend on a zone. The service shows whole seconds. */
const times = (order: Parameters<typeof numbers>[0]) => (shown: unknown, value: string) =>
  formOf(shown) === formOf(value) ? numbers(order)(secondsOf(shown), secondsOf(value)) : undefined;
const formOf = (time: unknown) => exact.test(String(time)) || String(time).length;
const exact = /^-?\d{1,11}(\.\d+)?$|(Z|[+-]\d\d:?\d\d)$/i;

const compare = {
  after: times((shown, value) => shown >= Math.floor(value)),
  before: times((shown, value) => Math.floor(shown) <= Math.ceil(value)),
  amounts: (shown: unknown) => Number(shown) > 0,
  texts: (shown: unknown, value: string) => folded(shown).includes(folded(value).trim()),
  numbers: numbers((shown, value) => shown === value),
  atLeast: numbers((shown, value) => shown >= value),
  atMost: numbers((shown, value) => shown <= value),
  ids: (shown: unknown, value: string) => idsIn(shown).some((id) => id === value || isSameUuid(id, value)),
  values: (shown: unknown, value: string) =>
    shown === null ? undefined : [shown].flat().some((each) => String(each) === value || each === bits[value]),
};

/** Databases without booleans have these in their place. */
const bits: Readonly<Record<string, number>> = { true: 1, false: 0 };
const isSameUuid = (id: unknown, value: string) => /^[\da-f-]{36}$/i.test(value) && folded(id) === folded(value);

/** Rows may embed the object in place of its id, and refer to several. */
export const idsIn = (shown: unknown) => [shown].flat().map((each) => (isObject(each) ? each.id : each));

/** Services compare texts without their case as PostgreSQL does, in capital letters. Some leave out accents. */
const folded = (text: unknown) => `${text ?? ''}`.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase();

const wordsIn = (text: string) => text.split(/[\s,"']+/).filter(Boolean);

/** Without a label before the id. `author.name` is a property of the object `author`, or of each one in a list. */
export function shownAt(row: unknown, place: string, { contract, described }: Described): unknown {
  const shown = place.split('.').reduce(partOf, row);
  return contract.references(described.kind)[place]?.labelled ? withoutLabel(shown) : shown;
}

const partOf = (value: unknown, key: string): unknown => {
  // A list of ids shows nothing of the objects.
  if (Array.isArray(value)) return value.some(isObject) ? value.flatMap((each) => partOf(each, key) ?? []) : undefined;
  return isObject(value) ? value[key] : undefined;
};
