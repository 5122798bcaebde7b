import { shapes } from '../generated/contract.ts';
import { isObject, type Json } from '../lib/json.ts';
import { type EndpointName, endpoints } from './endpoints.ts';

/** `unknown`: a field that the contract does not have. `missing`: one that is not there. `type`: one of another type. */
export type DriftKind = 'unknown' | 'missing' | 'type';

export interface DriftCount {
  endpoint: EndpointName;
  /** Its place in the answer, like `results[].card.card_id`; `other` for unknown fields beyond those that are told apart. */
  field: string;
  kind: DriftKind;
  /** How often it was seen. */
  count: number;
}

/** Of each operation, the first answers show what the service is like. */
const answersInFull = 10;
/** A prime: whoever asks for the same things in turn is not always looked at in the same place. */
const fullOneIn = 31;
/** Of a list of this many rows, looking at one row more costs next to nothing. */
const longList = 20;
/** Names of unknown fields come from the service, and whoever stores metrics stores each for ever. */
const maxUnknown = 500;
const maxNameLength = 100;
/** Neither an id nor a number, should an object be keyed by them: those are nobody's business but the caller's. */
const fieldName = /^[a-z_]\w*$/;

/**
 * How the service's answers differ from the contract, counted by field. Null is no difference: the service sends it nearly
 * everywhere. To look at an answer takes a third of the time that it takes to read it out, so not all are looked at: of
 * each operation the first ten answers and then every 31st in full, and of the lists between that have twenty rows or more
 * one row in turn. What all rows of a list have in common is seen with its next answer, what one row has in the long run.
 */
export class ContractDrift {
  readonly #watched = new Map<EndpointName, Watched>();
  #unknown = 0;

  /** An answer to a read. */
  sample(endpoint: EndpointName, answer: Json): void {
    const watched = this.#watch(endpoint);
    const turn = watched.turn++;
    if (turn < answersInFull || turn % fullOneIn === 0) this.#look(answer, watched.place);
    else if (watched.rows && Array.isArray(answer.results) && answer.results.length >= longList) {
      this.#look(answer.results[turn % answer.results.length], watched.rows);
    }
  }

  /** An answer in full: writes are rare. */
  examine(endpoint: EndpointName, answer: Json): void {
    this.#look(answer, this.#watch(endpoint).place);
  }

  *counts(): Iterable<DriftCount> {
    for (const [endpoint, { place, others }] of this.#watched) {
      for (const count of countsOf(place)) yield { endpoint, ...count };
      if (others > 0) yield { endpoint, field: 'other', kind: 'unknown', count: others };
    }
  }

  #watch(endpoint: EndpointName): Watched {
    let watched = this.#watched.get(endpoint);
    if (!watched) {
      watched = new Watched(endpoint);
      this.#watched.set(endpoint, watched);
    }
    return watched;
  }

  #look(value: unknown, place: Place): void {
    if (value === null) return;
    if (place.item) {
      if (!Array.isArray(value)) place.wrong += 1;
      else for (const item of value) this.#look(item, place.item);
    } else if (place.fields) {
      if (isObject(value)) this.#lookInto(value, place, place.fields);
      else place.wrong += 1;
    } else if (!isOf(place.type, value)) place.wrong += 1;
  }

  #lookInto(object: Json, place: Place, fields: ReadonlyMap<string, Place>): void {
    let known = 0;
    for (const name in object) {
      const field = fields.get(name);
      if (field) {
        known += 1;
        this.#look(object[name], field);
      } else this.#count(name, place);
    }
    if (known === fields.size) return;
    for (const [name, field] of fields) if (!Object.hasOwn(object, name)) field.missing += 1;
  }

  #count(name: string, place: Place): void {
    const shown = name.slice(0, maxNameLength);
    const count = place.unknown.get(shown);
    if (count !== undefined) place.unknown.set(shown, count + 1);
    else if (this.#unknown === maxUnknown || !fieldName.test(shown)) place.watched.others += 1;
    else {
      this.#unknown += 1;
      place.unknown.set(shown, 1);
    }
  }
}

class Watched {
  readonly place: Place;
  /** Of a list. */
  readonly rows: Place | undefined;
  /** Answers so far. */
  turn = 0;
  /** Unknown fields that are not told apart. */
  others = 0;

  constructor(endpoint: EndpointName) {
    this.place = new Place('', endpoints[endpoint].response, this);
    this.rows = this.place.fields?.get('results')?.item;
  }
}

/** A place in the answers of one operation, and what was seen there. */
class Place {
  readonly path: string;
  readonly watched: Watched;
  readonly type: string | ReadonlySet<string>;
  readonly fields: ReadonlyMap<string, Place> | undefined;
  /** Of a list. */
  readonly item: Place | undefined;
  readonly unknown = new Map<string, number>();
  missing = 0;
  wrong = 0;

  constructor(path: string, type: string, watched: Watched) {
    this.path = path;
    this.watched = watched;
    this.type = type.includes('|') ? new Set(type.split('|')) : type;
    const shape = shapes[type];
    this.fields = shape && new Map(Object.entries(shape).map(([name, type]) => [name, this.#child(name, type)]));
    this.item = type.endsWith('[]') ? new Place(`${path}[]`, type.slice(0, -2), watched) : undefined;
  }

  #child(name: string, type: string): Place {
    return new Place(below(this.path, name), type, this.watched);
  }
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function isOf(type: Place['type'], value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'date-time':
      // Unix seconds have a digit where a year ends.
      return typeof value === 'string' && value[4] === '-';
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return typeof type !== 'string' && type.has(value as string);
  }
}

function* countsOf({ path, wrong, missing, unknown, fields, item }: Place): Iterable<Omit<DriftCount, 'endpoint'>> {
  if (wrong > 0) yield { field: path, kind: 'type', count: wrong };
  if (missing > 0) yield { field: path, kind: 'missing', count: missing };
  for (const [name, count] of unknown) yield { field: below(path, name), kind: 'unknown', count };
  if (item) yield* countsOf(item);
  for (const field of fields?.values() ?? []) yield* countsOf(field);
}
