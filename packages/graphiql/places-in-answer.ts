export type Position = readonly [longitude: number, latitude: number];

/** An object of an answer, and where it is. */
export interface Place {
  /** The id, or the path in the answer. */
  key: string;
  name: string;
  at: Position;
  /** The rings of its polygons. */
  rings: readonly (readonly Position[])[];
}

export interface Places {
  places: Place[];
  /** Names of the objects whose numbers are missing, or both zero. */
  without: string[];
}

type Json = Record<string, unknown>;

/** The objects of an answer that show `latitude` and `longitude`, each once. */
export function placesIn(answer: unknown): Places {
  const places = new Map<string, Place>();
  const without = new Map<string, string>();
  const search = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('latitude' in value && 'longitude' in value)
      add(value as Json & Record<'latitude' | 'longitude', unknown>, path);
    for (const [key, below] of Object.entries(value)) search(below, path === '' ? key : `${path}.${key}`);
  };
  const add = (object: Json & Record<'latitude' | 'longitude', unknown>, path: string): void => {
    const key = typeof object.id === 'string' ? object.id : path;
    const name = typeof object.name === 'string' ? object.name : key;
    const rings = ringsIn(object);
    const at = [object.longitude, object.latitude] as const;
    const isPlaced = at.every(Number.isFinite) && at.some((degrees) => degrees !== 0);
    const [corner] = rings[0] ?? [];
    if (isPlaced) places.set(key, { key, name, at: at as Position, rings });
    else if (corner) places.set(key, { key, name, at: corner, rings });
    else without.set(key, name);
  };
  search(answer, '');
  return { places: [...places.values()], without: [...without.values()] };
}

/** The rings of the GeoJSON that stands in a field of the object. */
function ringsIn(object: Json): Position[][] {
  const features = Object.values(object).flatMap((value) => (Array.isArray(value) ? value : [])) as (Json | null)[];
  return features.flatMap((feature) => {
    const { type, coordinates } = ((feature?.geometry ?? feature) as Json | null) ?? {};
    if (!Array.isArray(coordinates)) return [];
    if (type === 'Polygon') return coordinates.filter(isRing);
    return type === 'MultiPolygon' ? coordinates.flat().filter(isRing) : [];
  });
}

function isRing(value: unknown): value is Position[] {
  return (
    Array.isArray(value) &&
    value.length > 3 &&
    value.every((corner) => Array.isArray(corner) && corner.slice(0, 2).every(Number.isFinite))
  );
}
