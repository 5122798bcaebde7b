import { shapes } from '../generated/contract.ts';
import { isObject, type Json } from '../lib/json.ts';
import { type EndpointName, endpoints } from './endpoints.ts';

/** `unknown`: a field that the contract does not have. `missing`: one that is not there. `type`: one of another type. */
export type DriftKind = 'unknown' | 'missing' | 'type';

export interface DriftCount {
  endpoint: EndpointName;
  /** Place in the answer, like `results[].card.card_id`; `other` for further unknown fields. */
  field: string;
  kind: DriftKind;
  /** How often it was seen. */
  count: number;
}

/** The first answers of an endpoint show how the service behaves. */
const answersInFull = 10;
/** A prime, so that a client with a repeating pattern of reads is not always sampled at the same one. */
const fullOneIn = 31;
/** In a list of this many rows, one row is a small part of the work. */
const longList = 20;
/** The service chooses the names of unknown fields, and a metrics store stores each name for ever. */
const maxUnknown = 500;
const maxNameLength = 100;
/** Refuses ids and numbers, in case the service uses them as keys: they belong to the caller alone. */
const fieldName = /^[a-z_]\w*$/;

/**
 * Counts by field how the service's answers differ from the contract. Null is no difference: the service sends it nearly
 * everywhere. To examine an answer costs a third of its parsing, so most are sampled. The first ten answers of an
 * endpoint are examined, then every 31st. Between them, one row of each longer list is.
 */
export class ContractDrift {
  readonly #watched = new Map<EndpointName, Watched>();
  #unknown = 0;

  /** Takes an answer to a read. */
  sample(endpoint: EndpointName, answer: Json): void {
    const watched = this.#watch(endpoint);
    const turn = watched.turn++;
    if (turn < answersInFull || turn % fullOneIn === 0) this.#look(answer, watched.place);
    else if (watched.rows && Array.isArray(answer.results) && answer.results.length >= longList) {
      this.#look(answer.results[turn % answer.results.length], watched.rows);
    }
  }

  /** Takes an answer in full, as that of a write: writes are rare. */
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
  /** The rows of a list. */
  readonly rows: Place | undefined;
  /** Answers so far. */
  turn = 0;
  /** Unknown fields without a count of their own. */
  others = 0;

  constructor(endpoint: EndpointName) {
    this.place = new Place('', endpoints[endpoint].response, this);
    this.rows = this.place.fields?.get('results')?.item;
  }
}

/** A place in the answers of one endpoint, and its differences. */
class Place {
  readonly path: string;
  readonly watched: Watched;
  readonly type: string | ReadonlySet<string>;
  readonly fields: ReadonlyMap<string, Place> | undefined;
  /** The items of a list. */
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
