import type { Json } from '@gateway/base';
import type { DialectName } from './dialect-traits.ts';

/** Name of an endpoint in the contract. */
export type EndpointName = string;

/** Name of an endpoint that answers a page of rows. */
export type ListEndpointName = string;

export interface Endpoint {
  does: 'list' | 'get' | 'write';
  /** Field of Query or Mutation. */
  rootField: string;
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below the base URL; `{…}` stands for the id, in a list for a filter. */
  path: string;
  /** Pattern of the id in the path. */
  idPattern?: string;
  /** Places of the body with ids that are numbers of JSON. */
  numberIds?: readonly (readonly string[])[];
  /** Type of the graph that shows the object of the answer, or each of its rows. */
  kind: string;
  /** Name of the answer among the shapes of the contract. */
  response: string;
  /** Services of other dialects lack the endpoint, and older ones of this dialect may. */
  dialect?: DialectName;
  /** The service answers 201 for a new object. */
  creates?: true;
  /** Answers of the write show no object, so the gateway reads it afterwards. */
  answersNothing?: true;
  /** Fields of the input → the properties that they are sent as, in the form that services of another version take. */
  otherForms?: Readonly<Record<string, string>>;
  /** Arguments of a list → query parameters. Settings can rename the parameters. */
  filters?: Readonly<Record<string, string>>;
  /** How answers show whether the service applies each of the filters. */
  filterChecks?: Readonly<Record<string, FilterCheck>>;
  /** The property of the rows with the time that they came at. Rows of one time have no order. */
  time?: string;
  /** The rows of the list are in order of `time`, the newest first. */
  isNewestFirst?: boolean;
  /** Properties that rows lack, and the GET by id has. */
  lacks?: readonly string[];
  /** The service answers all rows of the list at once. */
  unpaged?: true;
  /** The list is the only way to its objects, so the gateway caches it. */
  isCached?: boolean;
  /** The argument that has the id; by default `id`. */
  idArgument?: string;
  /** The part of a form that has the file of an upload, and its argument. */
  file?: string;
  /** Media types of the file. Absent where all are taken that browsers do not run. */
  fileTypes?: readonly string[];
  /** Query parameters of each read, with their values by dialect. */
  sends?: Readonly<Record<string, Readonly<Record<DialectName, string>>>>;
  /** The cheapest read. Its answer shows whether the service accepts a key, and what dialect it speaks. */
  provesKey?: true;
  /** Cached lists that a write may change. */
  invalidates?: readonly ListEndpointName[];
  /** The argument with the time that this property of the object must still have. Without it: with values of the object. */
  ifUnchanged?: { argument: string; property?: string };
  /** Milliseconds that the service is busy with a call and with each row of its answer. */
  cost?: { callMs: number; rowMs?: number };
}

/** The time or the values that the object of a write must still have. Undefined for a write without a condition. */
export function conditionIn({ ifUnchanged }: Endpoint, args: Json): unknown {
  return (ifUnchanged && args[ifUnchanged.argument]) ?? undefined;
}

/** How answers show whether the service applies a filter. Services ignore those that they lack, and answer all rows. */
export interface FilterCheck {
  /** Services of other dialects lack the filter, and older ones of this dialect may. Without it, the specification has it. */
  dialect?: DialectName;
  /**
   * `after`, `before`: times. `atLeast`, `atMost`: numbers. `words`: each word is in a property. `amounts`: a switch for rows with an amount above 0.
   * `adds`: a switch for further rows, in which the property is true. Services that have it show the property in each row.
   */
  compares:
    | ('ids' | 'values' | 'texts' | 'words' | 'amounts' | 'adds')
    | ('after' | 'before' | 'numbers' | 'atLeast' | 'atMost');
  /** Values that are times are ISO 8601 texts, or the dates in them, in place of unix seconds. */
  times?: 'iso' | 'date';
  /** All values of a filter that compares such. */
  values?: readonly string[];
  /** The filter takes several values, with this between them. A new line: the query has the parameter for each. */
  join?: string;
  /** Properties of a row; one of them shows that the row matches. Without any, rows do not show it. */
  shownBy: readonly string[];
  /** The query parameter of services that call the filter differently. */
  otherName?: string;
  /** A filter that only those services have that apply this one as described. */
  checkedBy?: string;
  /** With it, the list is in order of the time in this property, the earliest first. `true`: in another order. */
  reorders?: string | true;
  /** Pattern of the ids of a filter that stands in the path. Such a list has no rows without it. */
  inPath?: string;
}
