import { isObject, type Json } from '@gateway/base';
import type { Contract, Reference } from '@gateway/contract';
import { referenceValue } from '@gateway/rest-graph';
import { DateTime } from '@gateway/upstream';
import { groupName, month as monthName, type Totals } from './declared.ts';
import type { Grouping, Key } from './group-rows.ts';

/** How the rows of a list are divided by what a client asks for. */
export function groupingOf(contract: Contract, totals: Totals, groupBy: readonly string[]): Grouping {
  const { kind, month, unit, inside } = totals;
  const asked = groupBy.map((name): Key => {
    if (name === monthName) return { field: 'month', of: (row) => monthOf(row[month ?? '']) };
    return keyOf(contract, kind, totals.groupBy.find((field) => groupName(field) === name) as string);
  });
  const units = (type: string) => (unit === undefined ? [] : [keyOf(contract, type, unit)]);
  return {
    keys: [...asked, ...units(kind)],
    inside: inside.map(({ field, of, kind: type, by }) => {
      const key = keyOf(contract, type, by);
      return {
        field,
        of: (row) => itemsIn(row[of]).filter((item) => key.of(item) !== null),
        grouping: { keys: [key, ...units(type)] },
      };
    }),
  };
}

/** A property as a key: what it refers to, or its text. */
export function keyOf(contract: Contract, type: string, field: string): Key {
  const reference = contract.references(type)[field] as Reference | undefined;
  if (reference) return { field, of: (row) => referenceValue(row, field, reference) };
  return { field, of: (row) => textOf(row[field]) };
}

/** Text, or the JSON text of a list or an object that the service sends instead. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** `2026-03`. Null for a row whose time is missing, no time, or of a year without four digits. */
function monthOf(value: unknown): string | null {
  const seconds = DateTime.parse(value)?.in('unix');
  const iso = seconds === undefined ? '' : new Date(Math.floor(Number(seconds)) * 1000).toISOString();
  return /^\d{4}-\d{2}/.exec(iso)?.[0] ?? null;
}

function itemsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
