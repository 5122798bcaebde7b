import { isObject, type Json } from '@gateway/base';
import type { Reference, WayBack } from '@gateway/contract';
import { isRow } from '@gateway/upstream';
import { idOf, referenceValue, referenceValues, targetIn } from '../references.ts';

type References = Readonly<Record<string, Reference>>;

/** The object that rows refer to, and how. */
interface Referred {
  way: WayBack;
  id: string;
}

/** Rows of a list by the objects that they refer to. A row that comes twice counts once. */
export class RowIndex {
  /** Rows that were added. */
  length = 0;
  readonly #references: References;
  readonly #seen = new Set<string>();
  readonly #places = new Map<WayBack, Map<string, number[]>>();

  /** `references`: those of a row. */
  constructor(references: References, referred: readonly Referred[]) {
    this.#references = references;
    for (const { way } of referred) this.#places.set(way, new Map());
  }

  add(rows: readonly unknown[]): void {
    for (const row of rows) {
      const at = this.length;
      this.length += 1;
      if (!isRow(row) || this.#seen.has(row.id)) continue;
      this.#seen.add(row.id);
      for (const [way, byId] of this.#places) {
        for (const id of idsIn(row, this.#references, way)) {
          const places = byId.get(id);
          if (places) places.push(at);
          else byId.set(id, [at]);
        }
      }
    }
  }

  /** Positions of the rows that refer to an object, in the order of the list. */
  of({ way, id }: Referred): readonly number[] {
    return this.#places.get(way)?.get(id) ?? [];
  }
}

/** Ids of the objects that a row refers to; none for a row that does not count. */
export function idsIn(row: Json, references: References, { of, where, kind }: WayBack): ReadonlySet<string> {
  const ids = new Set<string>();
  if (where !== undefined && row[where] === false) return ids;
  for (const field of of) {
    const reference = references[field];
    const embedded = row[field];
    // A row that names no kind may refer to an object of each.
    if (kind && reference && ![kind, reference.to].includes(targetIn(row, reference))) continue;
    if (reference?.list) {
      for (const value of referenceValues(row, field, reference) ?? []) ids.add(idOf(value));
    } else if (reference) {
      const value = referenceValue(row, field, reference);
      if (value !== null) ids.add(idOf(value));
    } else if (isObject(embedded) && typeof embedded.id === 'string') ids.add(embedded.id);
  }
  return ids;
}
