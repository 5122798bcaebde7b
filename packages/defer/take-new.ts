import { isObject, type Json } from '@gateway/base';

export type Path = readonly (string | number)[];

/** Fields of one object that its client does not have yet. */
export interface NewFields {
  path: Path;
  data: Json;
}

/** The fields that a part of an answer adds to the parts before it. */
export interface Added {
  fields: NewFields[];
  /** Objects that the client has, and that are null in the part because a field below them cannot be null. */
  lost: Path[];
}

/** Merges `part` into `whole`, and returns all that is new. */
export function takeNew(whole: Json, part: Json): Added {
  const added: Added = { fields: [], lost: [] };
  compare(whole, part, [], added);
  return added;
}

function compare(whole: Json, part: Json, path: Path, added: Added): void {
  const data: Json = {};
  for (const [key, value] of Object.entries(part)) {
    if (!Object.hasOwn(whole, key)) data[key] = whole[key] = value;
    else compareValues(whole[key], value, [...path, key], added);
  }
  if (Object.keys(data).length > 0) added.fields.push({ path, data });
}

function compareValues(known: unknown, value: unknown, path: Path, added: Added): void {
  if (Array.isArray(known) && Array.isArray(value)) {
    for (const [index, item] of known.entries()) compareValues(item, value[index], [...path, index], added);
  } else if (isObject(known) && isObject(value)) {
    compare(known, value, path, added);
  } else if (known !== null && (value === null || value === undefined)) {
    added.lost.push(path);
  }
}

/** The objects at the end of these keys, whatever lists stand on the way. */
export function placesOf(data: unknown, keys: readonly string[], path: Path = []): Path[] {
  if (Array.isArray(data)) return data.flatMap((item, index) => placesOf(item, keys, [...path, index]));
  if (!isObject(data)) return [];
  const [key, ...others] = keys;
  return key === undefined ? [path] : placesOf(data[key], others, [...path, key]);
}

/** The path stands at or below another. */
export function isBelow(path: Path, above: Path): boolean {
  return above.every((step, index) => step === path[index]);
}

/** Finds the things that lie at a path or above it. */
export class ByPath<Thing> {
  readonly #things = new Map<string, Thing>();

  constructor(things: readonly Thing[], pathOf: (thing: Thing) => Path) {
    for (const thing of things) this.#things.set(nameOf(pathOf(thing)), thing);
  }

  /** The highest comes first. */
  above(path: Path): Thing[] {
    const names = [...path.keys(), path.length].map((length) => nameOf(path.slice(0, length)));
    return names.flatMap((name) => this.#things.get(name) ?? []);
  }
}

function nameOf(path: Path): string {
  return path.join('\0');
}
