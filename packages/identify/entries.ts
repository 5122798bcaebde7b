import { isObject, type Json } from '@gateway/base';
import type { Contract, EndpointName, Reference } from '@gateway/contract';
import { idOf, referenceValue, secondsOf } from '@gateway/rest-graph';
import type { Assignments, Comparison, IdentifyData, IndexedList } from './data.ts';
import { foldedCode, keyOf } from './likeness.ts';
import type { Entry } from './row-index.ts';

/** Key of a thing by the text that names it. `place`: that of the property in `by`. */
export function keyOfThing(field: string, place: number, text: string): string {
  return `${field} ${place} ${foldedCode(text)}`;
}

/** Undefined where the text has nothing to compare. */
export function keyOfValue(name: string, { as }: Comparison, text: string): string | undefined {
  const key = keyOf[as](text);
  return key === '' ? undefined : `${name} ${key}`;
}

/** Makes the entries of the rows of one list. */
export class Entries {
  readonly #contract: Contract;
  readonly #list: IndexedList;
  /** By field and name. Filters find rows too, but neither each spelling of a code nor a name that is divided otherwise. */
  readonly #compared: readonly (readonly [name: string, comparison: Comparison])[];

  constructor(contract: Contract, { lists, candidates }: IdentifyData, list: EndpointName) {
    this.#contract = contract;
    this.#list = lists[list] as IndexedList;
    this.#compared = Object.entries(candidates)
      .filter(([, candidate]) => candidate.list === list)
      .flatMap(([field, { compares }]) =>
        Object.entries(compares).map(([name, comparison]) => [`${field}.${name}`, comparison] as const),
      );
  }

  of(row: Json & { id: string }): Entry[] {
    const assigned = Object.entries(this.#list.holders).flatMap(([field, assignments]) =>
      this.#assigned(field, assignments, row),
    );
    const compared = this.#compared.flatMap(([name, comparison]) => {
      const key = keyOfValue(name, comparison, textOf(row, comparison.of));
      return key === undefined ? [] : { key, id: row.id, newest: 0, tie: row.id };
    });
    return [...assigned, ...compared];
  }

  /** The row shows whether it holds things. */
  isShown(field: string, row: Json): boolean {
    const { assignment } = this.#list.holders[field] as Assignments;
    return assignment === undefined || assignment in row;
  }

  #assigned(field: string, assignments: Assignments, row: Json & { id: string }): Entry[] {
    const { by, active, newest } = assignments;
    const assignment = this.#assignmentIn(assignments, row);
    if (!isObject(assignment) || (active !== undefined && assignment[active] === false)) return [];
    const id = this.#holderOf(assignments, assignment, row);
    if (id === undefined) return [];
    return by.flatMap((place, index) => {
      const text = valueAt(assignment, place);
      if (typeof text !== 'string' || foldedCode(text) === '') return [];
      const tie = String(assignment.id);
      return { key: keyOfThing(field, index, text), id, newest: secondsOf(assignment[newest]) ?? 0, tie };
    });
  }

  #assignmentIn({ assignment }: Assignments, row: Json): unknown {
    if (assignment === undefined) return row;
    const reference = this.#contract.references(this.#list.kind)[assignment];
    return reference ? referenceValue(row, assignment, reference) : row[assignment];
  }

  #holderOf({ holder }: Assignments, assignment: Json, row: Json & { id: string }): string | undefined {
    if (holder === undefined) return row.id;
    const reference = this.#contract.references(this.#list.kind)[holder] as Reference;
    const value = referenceValue(assignment, holder, reference);
    return value === null ? undefined : idOf(value);
  }
}

/** The texts of the properties, one after the other. */
export function textOf(values: Readonly<Record<string, unknown>>, properties: readonly string[]): string {
  return properties
    .map((property) => values[property])
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .join(' ')
    .trim();
}

/** `author.name` is a property of the object `author`. */
function valueAt(row: Json, place: string): unknown {
  return place.split('.').reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), row);
}
