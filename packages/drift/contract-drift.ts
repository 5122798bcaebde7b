import { isObject, type Json } from '@gateway/base';
import type { Contract, ContractData, DialectName, DialectTraits, EndpointName } from '@gateway/contract';
import type { Dialect, UpstreamEvents } from '@gateway/upstream';

/** `unknown`: a field that the contract does not have. `missing`: one that is not there. `type`: one of another type. */
export type DriftKind = 'unknown' | 'missing' | 'type';

export interface DriftCount {
  endpoint: EndpointName;
  /** Place in the answer, like `results[].author.name`; `other` for further unknown fields. */
  field: string;
  kind: DriftKind;
  /** The word for it in `x-dialects` of the contract: the type of JSON, the value of an enum, or `absent`. */
  seen: string;
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
const enumValue = /^[A-Z_]{1,100}$/;

/** Compares what reads and writes bring with the contract. */
export function watchDrift(drift: ContractDrift, events: UpstreamEvents): void {
  events.on('callEnd', ({ request: { endpoint, write } }, error, response) => {
    if (error !== undefined || !response?.data) return;
    if (write) drift.examine(endpoint, response.data);
    else if (!response.body.isExamined) drift.sample(endpoint, response.data);
    response.body.isExamined = true;
  });
}

/**
 * Counts by field how the service's answers differ from the contract in its dialect. Null is no difference: the service sends it nearly
 * everywhere. To examine an answer costs a third of its parsing, so most are sampled. The first ten answers of an
 * endpoint are examined, then every 31st. Between them, one row of each longer list is.
 */
export class ContractDrift {
  readonly #watched = new Map<EndpointName, Watched>();
  readonly #contract: Contract;
  readonly #dialect: Dialect;
  readonly #known: Differences;
  #names = 0;

  /** `known`: the differences that are no drift. */
  constructor(contract: Contract, dialect: Dialect, known = contract.data.differences) {
    this.#contract = contract;
    this.#dialect = dialect;
    this.#known = known;
  }

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
    if (this.#contract.endpoint(endpoint).answersNothing) return;
    this.#look(answer, this.#watch(endpoint).place);
  }

  *counts(): Iterable<DriftCount> {
    for (const [endpoint, { place, others }] of this.#watched) {
      for (const count of countsOf(place)) yield { endpoint, ...count };
      if (others > 0) yield { endpoint, field: 'other', kind: 'unknown', seen: 'any', count: others };
    }
  }

  #watch(endpoint: EndpointName): Watched {
    let watched = this.#watched.get(endpoint);
    if (!watched) {
      watched = new Watched(this.#contract, endpoint, this.#dialect.traits, this.#known);
      this.#watched.set(endpoint, watched);
    }
    return watched;
  }

  #look(value: unknown, place: Place): void {
    if (value === null) return;
    if (place.item) {
      if (!Array.isArray(value)) this.#countWrong(value, place);
      else for (const item of value) this.#look(item, place.item);
    } else if (place.fields) {
      if (isObject(value)) this.#lookInto(value, place, place.fields);
      else this.#countWrong(value, place);
    } else if (!isOf(place.type, value)) this.#countWrong(value, place);
  }

  #lookInto(object: Json, place: Place, fields: ReadonlyMap<string, Place>): void {
    let known = 0;
    for (const name in object) {
      const field = fields.get(name);
      if (field) {
        known += 1;
        this.#look(object[name], field);
      } else this.#countUnknown(name, object[name], place);
    }
    if (known === fields.size) return;
    for (const [name, field] of fields) if (!field.isOptional && !Object.hasOwn(object, name)) field.missing += 1;
  }

  #countWrong(value: unknown, place: Place): void {
    const type = jsonType(value);
    const isEnum = typeof place.type === 'object';
    const newValue = isEnum && typeof value === 'string' && enumValue.test(value) ? value : type;
    if (place.allows(type) || place.allows(newValue)) return;
    addTo(place.wrong, newValue === type || this.#hasRoom(newValue, place.wrong) ? newValue : type);
  }

  #countUnknown(name: string, value: unknown, place: Place): void {
    const shown = name.slice(0, maxNameLength);
    if (!fieldName.test(shown) || !this.#hasRoom(shown, place.unknown)) {
      place.watched.others += 1;
      return;
    }
    const types = place.unknown.get(shown) ?? new Map<string, number>();
    place.unknown.set(shown, types);
    addTo(types, jsonType(value));
  }

  /** Whether a name that the service chooses is known or may be remembered. */
  #hasRoom(name: string, names: ReadonlyMap<string, unknown>): boolean {
    if (names.has(name)) return true;
    if (this.#names === maxUnknown) return false;
    this.#names += 1;
    return true;
  }
}

type Differences = ContractData['differences'];

class Watched {
  readonly place: Place;
  /** The rows of a list. */
  readonly rows: Place | undefined;
  /** Answers so far. */
  turn = 0;
  /** Unknown fields without a count of their own. */
  others = 0;

  constructor(contract: Contract, endpoint: EndpointName, dialect: DialectTraits, differences: Differences) {
    const { shapes } = contract.data;
    const options = {
      watched: this,
      shapes,
      ways: differences[dialect.name] ?? {},
      hasSeconds: dialect.times === 'unix',
    };
    this.place = new Place('', contract.endpoint(endpoint).response, options);
    this.rows = this.place.fields?.get('results')?.item;
  }
}

interface PlaceOptions {
  watched: Watched;
  shapes: ContractData['shapes'];
  /** How fields may differ, by place. */
  ways: Differences[DialectName];
  /** Date-times are unix seconds. */
  hasSeconds: boolean;
  /** Schema and property that hold the value: `Work.author`. */
  holder?: string;
  /** How the value may differ. */
  words?: readonly string[];
  /** Fields of the places around this one, by type. An object may embed objects of its own type at any depth. */
  around?: ReadonlyMap<string, ReadonlyMap<string, Place>>;
}

/** A place in the answers of one endpoint, and its differences. */
class Place {
  readonly path: string;
  readonly watched: Watched;
  readonly type: string | ReadonlySet<string>;
  readonly fields: ReadonlyMap<string, Place> | undefined;
  /** The fields are those of a place around this one. */
  readonly isRepeated: boolean;
  /** The items of a list. */
  readonly item: Place | undefined;
  readonly isOptional: boolean;
  /** Unknown fields: name → type → count. */
  readonly unknown = new Map<string, Map<string, number>>();
  /** Types or values that the field cannot have → count. */
  readonly wrong = new Map<string, number>();
  missing = 0;
  readonly #words: readonly string[];

  constructor(path: string, type: string, options: PlaceOptions) {
    const { watched, shapes, ways, hasSeconds, holder = '', words = [], around } = options;
    this.path = path;
    this.watched = watched;
    this.#words = words;
    this.isOptional = words.includes('absent') || type === undeclared;
    const isSeconds = type === 'date-time' && hasSeconds;
    this.type = type.includes('|') ? new Set(type.split('|')) : isSeconds ? 'unix-seconds' : type;
    this.isRepeated = around?.has(type) ?? false;
    if (this.isRepeated) this.fields = around?.get(type);
    else if (type.endsWith('[]')) {
      const ofItem = words.filter((word) => word.endsWith('[]')).map((word) => word.slice(0, -2));
      this.item = new Place(`${path}[]`, type.slice(0, -2), { ...options, words: ofItem });
    } else if (shapes[type]) {
      const own = { ...ways[type], ...ways[holder] };
      const types = { ...Object.fromEntries(Object.keys(own).map((name) => [name, undeclared])), ...shapes[type] };
      const fields = new Map<string, Place>();
      this.fields = fields;
      const inside = new Map([...(around ?? []), [type, fields]]);
      for (const [name, fieldType] of Object.entries(types)) {
        const place = new Place(below(path, name), fieldType, {
          watched,
          shapes,
          ways,
          hasSeconds,
          holder: `${type}.${name}`,
          around: inside,
          words: own[name] ?? [],
        });
        fields.set(name, place);
      }
    }
  }

  allows(word: string): boolean {
    return this.#words.includes(word) || (word === 'integer' && this.#words.includes('number'));
  }
}

/** The type of a field that the contract names in `x-dialects` alone. */
const undeclared = '';

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function isOf(type: Place['type'], value: unknown): boolean {
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    case 'number-id':
      return typeof value === 'string' && /^\d+$/.test(value);
    case 'integer':
      return Number.isInteger(value);
    case 'json':
      return true;
    case 'date-time':
      return typeof value === 'string' && value[4] === '-';
    case 'unix-seconds':
      return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
    default:
      return typeof type !== 'string' && type.has(value as string);
  }
}

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function addTo(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function* countsOf({
  path,
  wrong,
  missing,
  unknown,
  fields,
  item,
  isRepeated,
}: Place): Iterable<Omit<DriftCount, 'endpoint'>> {
  for (const [seen, count] of wrong) yield { field: path, kind: 'type', seen, count };
  if (missing > 0) yield { field: path, kind: 'missing', seen: 'absent', count: missing };
  for (const [name, types] of unknown)
    for (const [seen, count] of types) yield { field: below(path, name), kind: 'unknown', seen, count };
  if (item) yield* countsOf(item);
  if (!isRepeated) for (const field of fields?.values() ?? []) yield* countsOf(field);
}
