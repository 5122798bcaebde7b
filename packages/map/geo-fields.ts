/** Fields of a type that say where its objects are. `npm run codegen` writes them from `x-geo` of the contract. */
export interface GeoFields {
  /** Decimal degrees. */
  latitude: string;
  longitude: string;
  /** A list of GeoJSON features. Where it has some, they are shown in place of the point. */
  polygons?: string | undefined;
  /** The name of the country, which is shown as two letters. */
  country?: string | undefined;
  /** Names of properties of a feature, each with the fields whose texts it joins. */
  properties: Readonly<Record<string, readonly string[]>>;
  /** Names of properties of a feature, each with the property of a polygon that it is. */
  ofPolygons?: Readonly<Record<string, string>> | undefined;
}

/** By type. */
export type GeoTypes = Readonly<Record<string, GeoFields>>;
