import { isObject } from '@gateway/base';
import type { GeoFields } from './geo-fields.ts';

/** A geometry of RFC 7946, in WGS 84: longitude before latitude. */
export interface Geometry {
  type: string;
  coordinates: unknown;
}

/** A shape of an object: its place, or one of its polygons. */
export interface Shape {
  geometry: Geometry;
  /** Decimals of the number with the fewest; of a polygon, of the number with the most. */
  decimals: number;
  /** Properties of a polygon itself. */
  properties?: Readonly<Record<string, unknown>>;
}

export type Misplaced = 'NO_PLACE' | 'AT_ZERO' | 'OUT_OF_RANGE';

/** The values of the fields of an object. */
export type Values = (field: string) => unknown;

/** The place of an object as the service knows it, or the reason why it has none. */
export function pointOf({ latitude, longitude }: GeoFields, values: Values): Shape | Misplaced {
  const position = [values(longitude), values(latitude)];
  if (!position.every(Number.isFinite)) return 'NO_PLACE';
  const numbers = position as number[];
  // Services store zeros where nobody has set a place.
  if (numbers.every((degrees) => degrees === 0)) return 'AT_ZERO';
  if (!isPosition(numbers)) return 'OUT_OF_RANGE';
  return { geometry: { type: 'Point', coordinates: numbers }, decimals: Math.min(...numbers.map(decimalsOf)) };
}

/** The polygons of an object, in their order. Undefined stands for one that is no shape of land. */
export function polygonsOf({ polygons }: GeoFields, values: Values): (Shape | undefined)[] {
  const features = polygons === undefined ? undefined : values(polygons);
  return Array.isArray(features) ? features.map(shapeOf) : [];
}

function shapeOf(feature: unknown): Shape | undefined {
  if (!isObject(feature)) return undefined;
  // Some services give geometries without a feature around them.
  const { type, geometry = feature, properties } = feature;
  if (!isObject(geometry) || (type !== 'Feature' && geometry !== feature)) return undefined;
  const { type: form, coordinates } = geometry;
  if (typeof form !== 'string' || !checks.get(form)?.(coordinates)) return undefined;
  // Arguments of one call have a bound, which a long border passes.
  const decimals = (coordinates as number[]).flat(4).reduce((most, degrees) => Math.max(most, decimalsOf(degrees)), 0);
  return { geometry: { type: form, coordinates }, decimals, ...(isObject(properties) && { properties }) };
}

type Check = (coordinates: unknown) => boolean;

const checks: ReadonlyMap<unknown, Check> = new Map([
  ['Point', isPosition],
  ['MultiPoint', listOf(isPosition)],
  ['Polygon', isPolygon],
  ['MultiPolygon', listOf(isPolygon)],
]);

function listOf(isItem: Check): Check {
  return (value) => Array.isArray(value) && value.length > 0 && value.every(isItem);
}

/** Longitude, latitude, and perhaps a height. */
function isPosition(value: unknown): boolean {
  if (!Array.isArray(value) || value.length < 2 || value.length > 3 || !value.every(Number.isFinite)) return false;
  const [longitude, latitude] = value as [number, number];
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;
}

function isPolygon(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isRing);
}

/** At least three corners, the first of which comes again at the end. */
function isRing(value: unknown): boolean {
  if (!Array.isArray(value) || value.length < 4 || !value.every(isPosition)) return false;
  const [first, last] = [value[0], value.at(-1)] as [number[], number[]];
  return first.length === last.length && first.every((degrees, index) => degrees === last[index]);
}

/** A number of JSON has no zeros at its end. */
function decimalsOf(degrees: number): number {
  const [digits = '', exponent = '0'] = String(degrees).split('e');
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent));
}
