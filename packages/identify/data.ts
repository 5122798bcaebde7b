import type { EndpointName, Kind, Target } from '@gateway/contract';

/** The part of the contract that the fields need, as the generator writes it. */
export interface IdentifyData {
  /** Fields of Query that find who holds a thing. */
  holders: Readonly<Record<string, HolderField>>;
  /** Fields of Query that find objects like the one that a client describes. */
  candidates: Readonly<Record<string, CandidateField>>;
  /** Lists whose rows the gateway keeps an index of. */
  lists: Readonly<Record<EndpointName, IndexedList>>;
}

export interface HolderField {
  argument: string;
  /** The type of the field `holder`. */
  target: Target;
  lists: readonly EndpointName[];
}

export interface CandidateField {
  list: EndpointName;
  kind: Kind;
  /** By the word that answers have for the agreement. */
  compares: Readonly<Record<string, Comparison>>;
}

export interface IndexedList {
  kind: Kind;
  /** The filter that asks for the rows that have changed after a time. */
  changes?: string;
  /** Writes that may change a row. */
  writes: readonly EndpointName[];
  /** The things that the rows say who holds, by the field that finds the holder. */
  holders: Readonly<Record<string, Assignments>>;
}

/** How a row shows who holds a thing. */
export interface Assignments {
  /** The property that embeds the assignment. Without it, the row is the assignment. */
  assignment?: string;
  /** The property of the assignment that refers to the holder. Without it, the row is the holder. */
  holder?: string;
  /** Texts of the assignment that name the thing. One counts where no earlier one does. */
  by: readonly string[];
  /** False where the assignment has ended. Without it, none ends. */
  active?: string;
  /** The time by which the newest assignment counts. */
  newest: string;
}

export interface Comparison {
  /** Properties of the row, and fields of the input. */
  of: readonly string[];
  as: Likeness;
  /** Those of them that the list filters by. Without any, the gateway keeps an index of the values. */
  filters: readonly string[];
}

/** How two texts are compared. */
export type Likeness = 'codes' | 'names' | 'phones';
