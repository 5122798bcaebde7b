import { expect, test } from 'vitest';
import { clientOf } from '../../../test/support/client.ts';
import { files } from '../../files/index.ts';
import { startDescribed } from '../../rest-graph/test/described-service.ts';
import { document, kind } from '../../rest-graph/test/notes.ts';
import mapContract from '../codegen.ts';
import { geoJsonFile } from '../index.ts';

const ref = (name: string) => `{ $ref: "#/components/schemas/${name}" }`;
const list = (name: string, path: string) => `
  /${path}:
    get:
      operationId: list${name}s
      tags: [Notes]
      description: x
      x-geo: { latitude: lat, longitude: lng }
      parameters: [{ $ref: "#/components/parameters/limit" }, { $ref: "#/components/parameters/offset" }]
      responses: { "200": { description: x, content: { application/json: { schema: ${ref(`${name}Page`)} } } } }`;
const placed = (name: string) => `
    ${name}: { type: object, required: [id], properties: { id: { type: string }, lat: { type: number }, lng: { type: number } } }
    ${name}Page: { type: object, required: [total, rows], properties: { total: { type: integer }, rows: { type: array, items: ${ref(name)} } } }`;
const housed = (name: string) =>
  `    ${name}: { type: object, required: [id], properties: { id: { type: string }, place_type: { type: string }, place: { type: string, x-reference: Place } } }`;

/** Notes of owners of two kinds. Each owner names the kind of its place. Ids are numbers of their kind alone. */
const owned = document({
  properties: '        owner: { type: string, x-reference: Owner }',
  paths: [
    ...[kind('Museum', 'museums'), kind('Collector', 'collectors')],
    ...[kind('Home', 'homes'), list('Home', 'homes'), kind('Shop', 'shops'), list('Shop', 'shops')],
  ].join(''),
  schemas: `
    Owner: { oneOf: [${ref('Collector')}, ${ref('Museum')}], x-unknown: UnknownOwner, x-evidence: {} }
    Place:
      oneOf: [${ref('Home')}, ${ref('Shop')}]
      x-unknown: UnknownPlace
      x-evidence:
${['Museum', 'Collector']
  .map(
    (name) => `        ${name}:
          - { field: place, is: Home, where: place_type, equals: home }
          - { field: place, is: Shop, where: place_type, equals: shop }`,
  )
  .join('\n')}
${housed('Museum')}
${housed('Collector')}${placed('Home')}${placed('Shop')}`,
  wire: '  wholeBody: [detail]\n  dialects: { plain: { times: iso } }',
});

const objects: Record<string, object> = {
  '/museums/m1': { id: 'm1', place_type: 'home', place: '1' },
  '/museums/m2': { id: 'm2', place_type: 'shop', place: '1' },
  '/collectors/c1': { id: 'c1', place_type: 'home', place: '2' },
  '/homes/1': { id: '1', lat: 6.123456, lng: 1.123456 },
  '/homes/2': { id: '2', lat: 6.123456, lng: 2.123456 },
  '/shops/1': { id: '1', lat: 6.123456, lng: 3.123456 },
};

async function mapOf(query: string) {
  const rows = ['m1', 'c1', 'm2', 'm1'].map((owner, n) => ({ id: `n${n}`, owner }));
  const settings = { files: 10, pageSize: 1000, timeoutMs: 25_000 };
  const { url } = await startDescribed(
    {
      document: owned,
      parts: {
        keys: [mapContract],
        routes: (service) => [files(service, settings, [geoJsonFile(service.app.contract)])],
      },
    },
    ({ path }) => {
      if (path.startsWith('/notes?')) return { status: 200, body: { total: rows.length, rows } };
      return objects[path] ? { status: 200, body: objects[path] } : { status: 404, body: { detail: 'Not found.' } };
    },
  );
  const headers = { accept: 'application/geo+json' };
  const { text, status } = await clientOf(url).ask({ query }, { key: 'demo', headers });
  return { status, file: JSON.parse(text) };
}

const selected = '... on Home { id lat lng } ... on Shop { id lat lng }';

test('a map shows objects of one id and two types, to which objects of two types lead', async () => {
  const { file } = await mapOf(
    `{ notes { results { owner { ... on Museum { place { ${selected} } } ... on Collector { place { ${selected} } } } } } }`,
  );
  const { features, $end } = file;
  expect(
    features.map(({ id, geometry }: { id: string; geometry: { coordinates: number[] } }) => [
      id,
      geometry.coordinates[0],
    ]),
  ).toEqual([
    ['1', 1.123456],
    ['2', 2.123456],
    ['1', 3.123456],
  ]);
  expect($end).toMatchObject({ objects: 3, complete: true, warnings: [] });
});

test('a map needs the same fields of the objects to which objects of two types lead', async () => {
  const { status, file } = await mapOf(
    `{ notes { results { owner { ... on Museum { place { ${selected} } } ... on Collector { place { id } } } } } }`,
  );
  expect([status, file.errors[0].message]).toEqual([
    406,
    'A map needs the same fields in each selection of `notes.results.owner.place`.',
  ]);
});
