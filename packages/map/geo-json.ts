import type { FileEnd, FileFormat } from '@gateway/files';
import type { GraphQLFormattedError } from 'graphql';
import { countryCode } from './countries.ts';
import type { GeoFields, GeoTypes } from './geo-fields.ts';
import { type Misplaced, pointOf, polygonsOf, type Shape, type Values } from './geometry.ts';
import { incompleteness, typeKey } from './marked-operation.ts';
import type { Places } from './places.ts';

/** Something that the owner of an object should know before others get the file. */
interface Warning {
  /** Null where the operation does not select it. */
  id: unknown;
  reason: Misplaced | 'OTHER_TYPE' | 'BAD_POLYGON' | 'FEW_DECIMALS' | 'UNKNOWN_COUNTRY';
  type?: string;
  polygon?: number;
  decimals?: number;
  country?: unknown;
  errors?: readonly GraphQLFormattedError[];
}

/** Warnings of one file, some megabytes. A service that lacks most places needs no list of them. */
const maxWarnings = 20_000;

/** Regulation (EU) 2023/1115, article 2 (28). */
const decimalsOfRegulation = 6;

type Json = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

/** A FeatureCollection (RFC 7946). Its last member, `$end`, says whether it is whole, and what is wrong with its objects. */
export class GeoJson implements FileFormat {
  readonly extension = 'geojson';
  readonly contentType = 'application/geo+json';
  readonly head = '{"type":"FeatureCollection","features":[';
  readonly #types: GeoTypes;
  readonly #places: Places;
  /** The keys from a row to its objects. */
  readonly #keys: readonly string[];
  /** Types and ids of the objects so far; undefined where each row is another object. */
  readonly #shown: Set<string> | undefined;
  readonly #warnings: Warning[] = [];
  readonly #errors: GraphQLFormattedError[] = [];
  readonly #reasons = new Set<string>();
  #unlisted = 0;
  #objects = 0;
  #features = 0;
  #isMissing = false;

  /** `depth`: the number of keys from the answer to a row. */
  constructor(types: GeoTypes, places: Places, depth: number) {
    this.#types = types;
    this.#places = places;
    this.#keys = places.keys.slice(depth);
    this.#shown = this.#keys.filter((key) => key !== 'node').length > 0 ? new Set() : undefined;
  }

  row(row: unknown, errors: readonly GraphQLFormattedError[] = []): string {
    const ofObjects = this.#sorted(errors);
    let text = '';
    for (const [object, path] of this.#objectsIn(row, 0, [])) {
      const own = ofObjects.get(path.join('.'));
      const { id } = this.#valuesOf(object);
      if (this.#shown && id !== undefined) {
        const name = `${object[typeKey]} ${id}`;
        if (this.#shown.has(name)) continue;
        this.#shown.add(name);
      }
      text += this.#object(object, id ?? null, own);
    }
    return text;
  }

  error(error: GraphQLFormattedError): string {
    this.#errors.push(error);
    return '';
  }

  window(): string {
    return '';
  }

  end({ errors, complete, cursor, error }: FileEnd): string {
    const end = {
      objects: this.#objects,
      features: this.#features,
      errors,
      complete: complete && !this.#isMissing && this.#reasons.size === 0,
      cursor,
      ...(this.#reasons.size > 0 && { reasons: [...this.#reasons] }),
      ...(error && { error }),
      warnings: this.#warnings,
      ...(this.#unlisted > 0 && { unlistedWarnings: this.#unlisted }),
      ...(this.#errors.length > 0 && { $errors: this.#errors }),
    };
    return `\n],"$end":${JSON.stringify(end)}}\n`;
  }

  /** The errors of each object, by its path. The end has the others. */
  #sorted(errors: readonly GraphQLFormattedError[]): Map<string, GraphQLFormattedError[]> {
    const found = new Map<string, GraphQLFormattedError[]>();
    for (const error of errors) {
      const { path = [] } = error;
      const length = this.#lengthOf(path);
      if (length === undefined) {
        this.#isMissing ||= this.#leadsToObjects(path);
        this.#errors.push(error);
        continue;
      }
      const key = path.slice(0, length).join('.');
      const ofObject = found.get(key) ?? [];
      ofObject.push({ ...error, path: path.slice(length) });
      found.set(key, ofObject);
    }
    return found;
  }

  /** The length of the path of the object that the path of an error leads through. An error at the object itself hides it. */
  #lengthOf(path: Path): number | undefined {
    let steps = 0;
    for (const [index, step] of path.entries()) {
      if (typeof step === 'number') continue;
      if (steps === this.#keys.length) return index;
      if (step !== this.#keys[steps]) return undefined;
      steps += 1;
    }
    return undefined;
  }

  /** An error on the way to the objects may hide some. */
  #leadsToObjects(path: Path): boolean {
    return path.filter((step) => typeof step === 'string').every((step, index) => step === this.#keys[index]);
  }

  *#objectsIn(value: unknown, step: number, path: Path): Generator<[object: Json, path: Path]> {
    if (value === null || value === undefined) return;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) yield* this.#objectsIn(item, step, [...path, index]);
      return;
    }
    const object = value as Json;
    const key = this.#keys[step];
    if (key === undefined) {
      yield [object, path];
      return;
    }
    const reason = incompleteness(object);
    if (reason !== undefined) this.#reasons.add(reason);
    yield* this.#objectsIn(object[key], step + 1, [...path, key]);
  }

  #object(object: Json, id: unknown, errors: readonly GraphQLFormattedError[] | undefined): string {
    this.#objects += 1;
    const type = String(object[typeKey]);
    const geo = this.#types[type];
    if (!geo) return this.#warn({ id, reason: 'OTHER_TYPE', type, ...(errors && { errors }) });
    const fields = this.#valuesOf(object);
    const values: Values = (field) => fields[field];
    const polygons = polygonsOf(geo, values);
    for (const [polygon, shape] of polygons.entries()) if (!shape) this.#warn({ id, reason: 'BAD_POLYGON', polygon });
    const shapes = polygons.filter((shape) => shape !== undefined);
    if (shapes.length === 0) {
      const point = pointOf(geo, values);
      if (typeof point === 'string') return this.#warn({ id, reason: point, ...(errors && { errors }) });
      shapes.push(point);
    }
    const decimals = Math.min(...shapes.map((shape) => shape.decimals));
    if (decimals < decimalsOfRegulation) this.#warn({ id, reason: 'FEW_DECIMALS', decimals });
    const properties = this.#propertiesOf(geo, type, object, values);
    if (geo.country !== undefined && geo.country in fields && !countryOf(fields[geo.country])) {
      this.#warn({ id, reason: 'UNKNOWN_COUNTRY', country: fields[geo.country] });
    }
    return shapes
      .map((shape, index) => this.#feature(shape, shapes.length > 1 ? `${id}/${index}` : id, geo, properties, errors))
      .join('');
  }

  #feature(
    { geometry, properties: own = {} }: Shape,
    id: unknown,
    { ofPolygons = {} }: GeoFields,
    properties: Json,
    errors: readonly GraphQLFormattedError[] | undefined,
  ): string {
    const ofPolygon = Object.entries(ofPolygons).flatMap(([name, property]) =>
      own[property] == null ? [] : [[name, own[property]]],
    );
    const feature = {
      type: 'Feature',
      id,
      geometry,
      properties: { ...properties, ...Object.fromEntries(ofPolygon) },
      ...(errors && { $errors: errors }),
    };
    this.#features += 1;
    return `${this.#features === 1 ? '' : ','}\n${JSON.stringify(feature)}`;
  }

  /** Declared properties by their names, and the other selected fields by their keys. */
  #propertiesOf(geo: GeoFields, type: string, object: Json, values: Values): Json {
    const declared = Object.entries(geo.properties).flatMap(([name, fields]) => {
      const texts = fields.map((field) => (field === geo.country ? countryOf(values(field)) : values(field)));
      const text = texts.filter((each) => typeof each === 'string' && each !== '').join(', ');
      return text ? [[name, text]] : [];
    });
    const used = new Set([geo.latitude, geo.longitude, geo.polygons, ...Object.values(geo.properties).flat()]);
    const others = (this.#places.fields.get(type) ?? []).filter(({ name, key }) => !used.has(name) && key in object);
    return { ...Object.fromEntries(declared), ...Object.fromEntries(others.map(({ key }) => [key, object[key]])) };
  }

  /** By the names of fields, whatever aliases the client gives them. */
  #valuesOf(object: Json): Json {
    const fields = this.#places.fields.get(String(object[typeKey])) ?? [];
    return Object.fromEntries(fields.map(({ name, key }) => [name, object[key]]));
  }

  #warn(warning: Warning): string {
    if (this.#warnings.length < maxWarnings) this.#warnings.push(warning);
    else this.#unlisted += 1;
    return '';
  }
}

function countryOf(name: unknown): string | undefined {
  return typeof name === 'string' ? countryCode(name) : undefined;
}
