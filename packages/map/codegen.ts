import { type Contract, type ContractPart, scalarOf } from '@gateway/contract/codegen';
import { z } from 'zod';
import type { GeoTypes } from './geo-fields.ts';

const geoFields = z.strictObject({
  latitude: z.string(),
  longitude: z.string(),
  polygons: z.string().optional(),
  country: z.string().optional(),
  properties: z.record(z.string(), z.array(z.string()).min(1)).default({}),
  ofPolygons: z.record(z.string(), z.string()).optional(),
});

/** The key `x-geo` of a list: the fields that say where its objects are. */
const mapContract: ContractPart = {
  name: 'map',
  keys: { 'x-geo': geoFields },
  mistakesIn: (contract) =>
    declared(contract).flatMap(({ at, does, kind, geo }, index, all) => {
      if (does !== 'list') return [`${at}.x-geo: only a list has it`];
      if (all.findIndex((other) => other.kind === kind) < index)
        return [`${at}.x-geo: another list of ${kind} has it too`];
      const lacking = fieldsOf(geo).filter(([, field]) => !isField(contract, kind, field));
      const { properties = {} } = contract.types.get(kind) ?? {};
      const isNumber = (name: string) => /^(Float|Int)$/.test(scalarOf(properties[name] ?? {}));
      return [
        ...lacking.map(([key, field]) => `${at}.x-geo.${key}: ${kind} has no property ${field}`),
        ...(['latitude', 'longitude'] as const)
          .filter((key) => !isNumber(geo[key]))
          .map((key) => `${at}.x-geo.${key}: ${kind} has no property ${geo[key]} that is a number`),
      ];
    }),
  dataOf: (contract): GeoTypes => Object.fromEntries(declared(contract).map(({ kind, geo }) => [kind, geo])),
};

export default mapContract;

function declared({ endpoints }: Contract) {
  return endpoints.flatMap(({ at, does, kind, keys }) => {
    const geo = keys['x-geo'] as z.infer<typeof geoFields> | undefined;
    return geo ? [{ at, does, kind, geo }] : [];
  });
}

/** The fields of any form. */
function fieldsOf({ polygons, country, properties }: z.infer<typeof geoFields>): [key: string, field: string][] {
  const all = { polygons, country };
  return [
    ...Object.entries(all).flatMap(([key, field]): [string, string][] => (field === undefined ? [] : [[key, field]])),
    ...Object.entries(properties).flatMap(([key, fields]) =>
      fields.map((field): [string, string] => [`properties.${key}`, field]),
    ),
  ];
}

function isField({ types, schemas }: Contract, kind: string, field: string): boolean {
  const type = types.get(kind);
  if (!type) return false;
  return (
    field in type.properties || type.schemas.some((schema) => field in (schemas[schema]?.['x-graphql-only'] ?? {}))
  );
}
