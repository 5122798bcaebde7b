import { check } from '@placemarkio/check-geojson';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf } from '../../../test/support/client.ts';
import { type FakeUpstream, startFakeUpstream } from '../../../test/support/fake-upstream.ts';
import { type Gateway, startFakedGateway, startGateway } from '../../../test/support/harness.ts';
import { countryCode } from '../countries.ts';

const geoJson = { accept: 'application/geo+json' };

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever their document asks for
type Value = any;

interface MapFile {
  status: number;
  headers: Headers;
  text: string;
  features: Value[];
  end: Value;
  calls: string[];
}

async function mapOf(gateway: Gateway, query: string, variables = {}): Promise<MapFile> {
  gateway.sandbox.clearCalls();
  const { status, headers, text } = await gateway.ask({ query, variables }, { headers: { ...geoJson } });
  const calls = gateway.sandbox.calls().map(({ method, path }) => `${method} ${path}`);
  if (status !== 200) return { status, headers, text, features: [], end: undefined, calls };
  // The library knows RFC 7946, and throws for each breach of it.
  const collection: Value = check(text);
  return { status, headers, text, features: collection.features, end: collection.$end, calls };
}

const whole = `query Growers($first: Int, $after: String) {
  farmers(first: $first, after: $after) { results { id name latitude longitude plots country province sub_province city } }
}`;

describe('a map of farmers', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  test('has each farmer as a point, longitude first, with the properties of a due diligence file', async () => {
    const { data } = await gateway.query(
      '{ farmers(first: 1000) { results { id name latitude longitude city sub_province province } } }',
    );
    const { headers, features, end, calls } = await mapOf(gateway, whole);

    expect(headers.get('content-type')).toBe('application/geo+json');
    expect(headers.get('content-disposition')).toBe('attachment; filename="Growers.geojson"');
    const codes = ['GH', 'RW', 'ID'];
    expect(features).toEqual(
      data.farmers.results.map(({ id, name, latitude, longitude, city, sub_province, province }: Value) => ({
        type: 'Feature',
        id,
        geometry: { type: 'Point', coordinates: [longitude, latitude] },
        properties: {
          ProducerName: name,
          ProducerCountry: expect.stringMatching(new RegExp(`^(${codes.join('|')})$`)),
          ProductionPlace: [city, sub_province, province].join(', '),
          id,
        },
      })),
    );
    expect(end).toMatchObject({ objects: 240, features: 240, errors: 0, complete: true, cursor: null });
    expect(calls).toEqual([
      'GET /supply-chains/farmers/?limit=100&offset=0',
      'GET /supply-chains/farmers/?limit=100&offset=100',
      'GET /supply-chains/farmers/?limit=100&offset=200',
    ]);
  });

  test('shows what the client selects, under its own keys, and nothing that it does not', async () => {
    const { features } = await mapOf(
      gateway,
      '{ farmers(first: 1) { edges { cursor node { key: id ...Place grower: name phone buyer { name } } } } } fragment Place on Farmer { latitude longitude }',
    );
    expect(features).toEqual([
      {
        type: 'Feature',
        id: expect.any(String),
        geometry: { type: 'Point', coordinates: [expect.any(Number), expect.any(Number)] },
        properties: {
          ProducerName: expect.any(String),
          key: expect.any(String),
          phone: expect.any(String),
          buyer: { name: 'Sankofa Growers Cooperative Union' },
        },
      },
    ]);
  });

  test('names the farmers whose numbers have fewer than six decimals, and keeps the numbers', async () => {
    const { features, end } = await mapOf(gateway, whole);
    const decimals = (degrees: number) => String(degrees).split('.')[1]?.length ?? 0;
    const fewest = new Map(
      features.map(({ id, geometry }) => [id, Math.min(...geometry.coordinates.map(decimals))] as const),
    );
    const expected = [...fewest]
      .filter(([, count]) => count < 6)
      .map(([id, count]) => ({ id, reason: 'FEW_DECIMALS', decimals: count }));
    expect(expected.length).toBeGreaterThan(0);
    expect(end.warnings).toEqual(expected);
  });

  test('shows each source of a list of sales once, behind its interface, and names those that are no farmers', async () => {
    const selection = 'source { id ... on Farmer { latitude longitude name } }';
    const { data } = await gateway.query(
      `{ productTransactions(first: 1000) { results { source { id __typename } } } }`,
    );
    const sources = new Map<string, string>(
      data.productTransactions.results.map(({ source }: Value) => [source.id, source.__typename]),
    );
    const of = (type: string) => [...sources].filter(([, each]) => each === type).map(([id]) => id);

    const { features, end } = await mapOf(gateway, `{ productTransactions { results { ${selection} } } }`);

    expect(features.map(({ id }) => id)).toEqual(of('Farmer'));
    expect(end.warnings.filter(({ reason }: Value) => reason === 'OTHER_TYPE')).toEqual(
      of('Company').map((id) => ({ id, reason: 'OTHER_TYPE', type: 'Company' })),
    );
    expect(end).toMatchObject({ objects: sources.size, complete: true });
  });

  test('shows the one farmer of an answer that is no list', async () => {
    const { data } = await gateway.query('{ farmers(first: 1) { results { id latitude longitude } } }');
    const [{ id, latitude, longitude }] = data.farmers.results;
    const { headers, features, end, calls } = await mapOf(
      gateway,
      'query ($id: ID!) { farmer(id: $id) { id latitude longitude } }',
      { id },
    );
    expect(headers.get('content-disposition')).toBe('attachment; filename="farmer.geojson"');
    expect(features).toEqual([
      { type: 'Feature', id, geometry: { type: 'Point', coordinates: [longitude, latitude] }, properties: { id } },
    ]);
    expect(end).toMatchObject({ objects: 1, features: 1, complete: true, cursor: null });
    expect(calls).toEqual([`GET /supply-chains/farmers/${id}/`]);
  });

  test('says why places may be missing where a search on the way to them was not complete', async () => {
    await using small = await startGateway({ settings: { 'limits.operations.upstreamCalls': '5' } });
    const { data } = await small.query('{ farmers(first: 1) { results { buyer { id } } } }');
    const query = `query ($id: ID!, $limit: Int!) {
      company(id: $id) { productTransactions(limit: $limit) { results { source { id ... on Farmer { latitude longitude } } } } }
    }`;
    const { id } = data.farmers.results[0].buyer;
    const few = await mapOf(small, query, { id, limit: 5 });
    expect(few.end).toMatchObject({ complete: true });
    expect(few.end.reasons).toBeUndefined();
    const many = await mapOf(small, query, { id, limit: 1000 });
    expect(many.end).toMatchObject({
      complete: false,
      cursor: null,
      reasons: [expect.stringContaining('The operation may make no more calls')],
    });
  });

  test('shows the farmers whom the goods of a lot came from', async () => {
    const list = await gateway.query('{ productTransactions(first: 500) { results { id parents { id } } } }');
    const { id } = list.data.productTransactions.results.find((row: Value) => row.parents.length > 1);
    const origin = (selection: string) =>
      `query ($id: ID!) { productTransaction(id: $id) { origin { ${selection} } } }`;
    const { data } = await gateway.query(origin('sources { entity { id __typename } } complete'), { id });
    const { sources, complete } = data.productTransaction.origin;
    expect(sources.map(({ entity }: Value) => entity.__typename)).toContain('Farmer');

    const { features, end } = await mapOf(
      gateway,
      origin('sources { entity { id name ... on Farmer { latitude longitude country } } lots }'),
      { id },
    );
    expect(features.map((feature) => feature.id)).toEqual(
      sources.filter(({ entity }: Value) => entity.__typename === 'Farmer').map(({ entity }: Value) => entity.id),
    );
    expect(end).toMatchObject({ objects: sources.length, complete });

    const shallow = await mapOf(
      gateway,
      origin('sources { entity { id ... on Farmer { latitude longitude } } }').replace('origin', 'origin(depth: 1)'),
      { id },
    );
    expect(shallow.end.complete).toBe(shallow.end.reasons === undefined);
  });

  test('is not complete where an object with a place could not be read', async () => {
    await using faked = await startFakedGateway();
    const farmers = await faked.query('{ productTransactions(first: 30) { results { source { id __typename } } } }');
    const { source } = farmers.data.productTransactions.results.find(
      (row: Value) => row.source.__typename === 'Farmer',
    );
    faked.upstream.respond = ({ path }) =>
      path.includes('/supply-chains/farmers/') ? { status: 503, body: '{}' } : undefined;
    const { text, status } = await faked.ask(
      {
        query: '{ productTransactions(first: 30) { results { source { id ... on Farmer { latitude longitude } } } } }',
      },
      { headers: { ...geoJson } },
    );
    expect(status).toBe(200);
    const { features, $end } = JSON.parse(text);
    expect(features.find((feature: Value) => feature.id === source.id)).toBeUndefined();
    expect($end.complete).toBe(false);
    expect($end.$errors[0].path.slice(-1)).toEqual(['source']);
  });

  test('is not complete where one of a list of objects could not be read', async () => {
    await using faked = await startFakedGateway();
    const { data } = await faked.query('{ farmers(first: 2) { results { id } } }');
    const [good, lost] = data.farmers.results.map(({ id }: Value) => id);
    faked.upstream.respond = ({ path }) => {
      if (path.includes('/users/')) return { body: JSON.stringify({ id: 'U1', managing_entitys: [lost, good] }) };
      return path.includes(`/${lost}/`) ? { status: 503, body: '{}' } : undefined;
    };
    const { features, end } = await mapOf(
      faked,
      '{ user(id: "U1") { managing_entitys { id ... on Farmer { latitude longitude } } } }',
    );
    expect(features.map(({ id }) => id)).toEqual([good]);
    expect(end).toMatchObject({ errors: 1, complete: false, $errors: [{ path: ['user', 'managing_entitys', 0] }] });
  });

  test.each([
    ['no field with a place', '{ currencies { results { id } } }', 'leads to objects of the type Farmer'],
    ['two fields', '{ serverTime farmers { results { id latitude longitude } } }', 'an operation with one field'],
    [
      'no coordinates',
      '{ farmers { results { id name longitude } } }',
      'A map needs latitude of Farmer: select them in `farmers.results`',
    ],
    [
      'no coordinates of a source',
      '{ productTransactions { results { source { name } } } }',
      'A map needs id, latitude and longitude of Farmer: select them in `productTransactions.results.source`',
    ],
    [
      'two places',
      '{ productTransactions { results { source { ...Place } destination { ...Place } } } } fragment Place on Farmer { id latitude longitude }',
      'this operation selects places in productTransactions.results.source and productTransactions.results.destination',
    ],
    [
      'a write',
      'mutation { createFarmer(input: { first_name: "Esi" }) { id latitude longitude } }',
      'an operation with one field',
    ],
  ])(
    'an operation with %s is refused before a call, and the refusal says what to select',
    async (_what, query, message) => {
      const { status, text, calls } = await mapOf(gateway, query);
      expect(status).toBe(406);
      expect(JSON.parse(text).errors[0].message).toContain(message);
      expect(codeOf(JSON.parse(text))).toBe('BAD_REQUEST');
      expect(calls).toEqual([]);
    },
  );

  test('an unknown farmer is NOT_FOUND, in the form of a refusal', async () => {
    const { text } = await mapOf(gateway, '{ farmer(id: "3Z4CSTM799") { id latitude longitude } }');
    expect(codeOf(JSON.parse(text))).toBe('NOT_FOUND');
  });

  test('goes on after the cursor of a map that was cut short', async () => {
    const part = await mapOf(gateway, whole, { first: 100 });
    const rest = await mapOf(gateway, whole, { after: part.end.cursor });
    const all = await mapOf(gateway, whole);
    expect([...part.features, ...rest.features]).toEqual(all.features);
  });
});

const ring = [
  [-1.612345, 6.701234],
  [-1.610001, 6.701234],
  [-1.610001, 6.703456],
  [-1.612345, 6.701234],
];
const polygon = (coordinates: unknown, properties: object | null = null) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Polygon', coordinates },
});

describe('a map of a service with plots', () => {
  test('shows the polygons of a farmer in place of the point, with their areas', async () => {
    await using gateway = await startGateway({
      sandbox: {
        dialect: 'connect',
        seed: {
          farmers: [
            {
              id: 'one',
              country: 'Ghana',
              latitude: 6.7,
              longitude: -1.6,
              plots: [polygon([ring], { area: 2.5, name: 'Home' })],
            },
            {
              id: 'two',
              country: 'Ghana',
              latitude: 6.7,
              longitude: -1.6,
              plots: [polygon([ring]), polygon([ring.slice(1)]), polygon([ring], { area: 1 })],
            },
            { id: 'none', country: 'Ghana', latitude: 6.701234, longitude: -1.612345 },
          ],
        },
      },
    });
    const query = '{ farmers { results { id country latitude longitude plots } } }';
    const { features, end } = await mapOf(gateway, query);
    const byId = new Map(features.map((feature) => [feature.id, feature]));
    const geometry = { type: 'Polygon', coordinates: [ring] };
    expect(byId.get('one')).toEqual({
      type: 'Feature',
      id: 'one',
      geometry,
      properties: { ProducerCountry: 'GH', id: 'one', Area: 2.5 },
    });
    expect(byId.get('two/0')).toMatchObject({ geometry, properties: { ProducerCountry: 'GH', id: 'two' } });
    expect(byId.get('two/1')).toMatchObject({ geometry, properties: { Area: 1 } });
    expect(byId.get('none').geometry).toEqual({ type: 'Point', coordinates: [-1.612345, 6.701234] });
    expect(features.length).toBe(4);
    expect(end).toMatchObject({ objects: 3, features: 4, complete: true });
    expect(end.warnings).toEqual([{ id: 'two', reason: 'BAD_POLYGON', polygon: 1 }]);

    const points = await mapOf(gateway, '{ farmers { results { id latitude longitude } } }');
    expect(points.features.map((feature) => feature.geometry.type)).toEqual(['Point', 'Point', 'Point']);
  });

  test('the seeded world has plots in the dialect connect, and none in the other', async () => {
    const query = '{ farmers(first: 10) { results { plots } } }';
    for (const [dialect, count] of [
      ['connect', 4],
      ['spec', 0],
    ] as const) {
      await using gateway = await startGateway({ sandbox: { dialect } });
      const { data, errors, calls } = await gateway.query(query);
      expect(errors).toEqual([]);
      const { results } = data.farmers;
      if (dialect === 'spec') expect(results).toEqual(Array(10).fill({ plots: null }));
      else expect(results.filter(({ plots }: Value) => plots.length > 0).length).toBeGreaterThanOrEqual(count - 1);
      expect(calls.length).toBeLessThanOrEqual(2);
    }
  });
});

describe('over a service of any answers', () => {
  let upstream: FakeUpstream;
  let gateway: Gateway;
  let farmers: Value[] = [];
  /** The offset of the first page that the service fails on. */
  let failsFrom = Number.POSITIVE_INFINITY;
  beforeAll(async () => {
    upstream = await startFakeUpstream();
    upstream.respond = ({ path }) => {
      const { searchParams } = new URL(path, 'http://service');
      const offset = Number(searchParams.get('offset'));
      if (offset >= failsFrom) return { status: 503, body: '{}' };
      const results = farmers.slice(offset, offset + Number(searchParams.get('limit')));
      return { body: JSON.stringify({ count: farmers.length, next: null, previous: null, results }) };
    };
    gateway = await startGateway({ upstreamUrl: upstream.url });
  });
  afterAll(async () => {
    await gateway.close();
    await upstream.close();
  });

  async function show(
    rows: Value[],
    query = '{ farmers { results { id country latitude longitude plots } } }',
  ): Promise<MapFile> {
    farmers = rows;
    return mapOf(gateway, query);
  }

  test('no coordinate is invented: farmers without a place are named, each with the reason', async () => {
    const place = { latitude: 6.712345, longitude: -1.612345, country: 'Ghana' };
    const { features, end } = await show([
      { id: 'good', ...place },
      { id: 'null', ...place, latitude: null },
      { id: 'absent', country: 'Ghana' },
      { id: 'zero', ...place, latitude: 0, longitude: 0 },
      { id: 'equator', ...place, latitude: 0 },
      { id: 'swapped', ...place, latitude: 101.7, longitude: 3.1 },
      { id: 'coarse', ...place, latitude: 6.7 },
      { id: 'nowhere', ...place, country: 'Neverland' },
      { id: 'unsaid', ...place, country: null },
      { id: 'text', ...place, plots: 'no list' },
    ]);
    expect(features.map(({ id }) => id)).toEqual(['good', 'equator', 'coarse', 'nowhere', 'unsaid', 'text']);
    expect(end.warnings).toEqual([
      { id: 'null', reason: 'NO_PLACE' },
      { id: 'absent', reason: 'NO_PLACE' },
      { id: 'zero', reason: 'AT_ZERO' },
      { id: 'equator', reason: 'FEW_DECIMALS', decimals: 0 },
      { id: 'swapped', reason: 'OUT_OF_RANGE' },
      { id: 'coarse', reason: 'FEW_DECIMALS', decimals: 1 },
      { id: 'nowhere', reason: 'UNKNOWN_COUNTRY', country: 'Neverland' },
      { id: 'unsaid', reason: 'UNKNOWN_COUNTRY', country: null },
    ]);
    expect(end).toMatchObject({ objects: 10, features: 6, complete: true });
    expect(features.find(({ id }) => id === 'nowhere').properties).toEqual({ id: 'nowhere' });
  });

  test('a border of 70,000 corners is shown whole', async () => {
    const border = Array.from({ length: 70_000 }, (_, n) => [n / 1e6, 6.123456]);
    const plots = [{ type: 'Polygon', coordinates: [[...border, border[0]]] }];
    farmers = [{ id: 'long', plots }];
    const query = '{ farmers { results { id latitude longitude plots } } }';
    const { text } = await gateway.ask({ query }, { headers: { ...geoJson } });
    const { features, $end } = JSON.parse(text);
    expect(JSON.stringify(features[0].geometry)).toBe(JSON.stringify(plots[0]));
    expect($end.complete).toBe(true);
  });

  test('an error in a row stands in its feature, or beside the reason why there is none', async () => {
    const place = { latitude: 6.712345, longitude: -1.612345 };
    const { features, end } = await show(
      [
        { id: 'good', ...place },
        { id: 'wrong', ...place, created_on: {} },
        { id: 'lost', ...place, latitude: 'north' },
      ],
      '{ farmers { results { id latitude longitude created_on } } }',
    );
    expect(features.map(({ id, $errors }) => [id, $errors?.map(({ path }: Value) => path)])).toEqual([
      ['good', undefined],
      ['wrong', [['created_on']]],
    ]);
    expect(end.warnings).toMatchObject([{ id: 'lost', reason: 'NO_PLACE', errors: [{ path: ['latitude'] }] }]);
    expect(end).toMatchObject({ errors: 2, complete: true });
  });

  test('a service that fails in the middle leaves a valid map, which is not complete, and goes on', async () => {
    const rows = Array.from({ length: 450 }, (_, n) => ({
      id: `F${n}`,
      latitude: 6.712345,
      longitude: -1.612345,
      country: 'Ghana',
    }));
    failsFrom = 300;
    const cut = await show(rows, whole);
    failsFrom = Number.POSITIVE_INFINITY;
    expect(cut.end).toMatchObject({ complete: false, error: { extensions: { code: 'UPSTREAM_UNAVAILABLE' } } });
    expect(cut.features.length).toBe(200);

    const rest = await mapOf(gateway, whole, { after: cut.end.cursor });
    expect(rest.end).toMatchObject({ complete: true });
    expect([...cut.features, ...rest.features].map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });

  test('the map is GeoJSON for any value of plots', async () => {
    const degrees = fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(0, 91, 181, null, '6.7'));
    const position = fc.array(degrees, { minLength: 1, maxLength: 4 });
    const closed = fc.array(position, { minLength: 2, maxLength: 5 }).map((corners) => [...corners, corners[0]]);
    const geometry = fc.record({
      type: fc.constantFrom('Point', 'Polygon', 'MultiPolygon', 'LineString', 'constructor'),
      coordinates: fc.oneof(position, fc.array(closed), fc.array(fc.array(closed)), fc.jsonValue()),
    });
    const plots = fc.array(
      fc.oneof(
        geometry,
        fc.record({ type: fc.constant('Feature'), geometry, properties: fc.jsonValue() }),
        fc.jsonValue(),
      ),
    );
    const row = fc.record({
      latitude: degrees,
      longitude: degrees,
      country: fc.constantFrom('Ghana', null, ''),
      plots,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 5 }), async (rows) => {
        const { end, features } = await show(rows.map((each, n) => ({ ...each, id: `F${n}` })));
        expect(end.objects).toBe(rows.length);
        expect(end.features).toBe(features.length);
      }),
      { numRuns: 100 },
    );
  });
});

describe('the two letters of a country', () => {
  test.each([
    ['GH', 'Ghana', 'GHANA', 'ghana ', 'gh'],
    ['CI', "Cote d'Ivoire", 'Côte d’Ivoire', 'Ivory Coast', 'Ivoorkust'],
    ['CD', 'DRC', 'Democratic Republic of the Congo', 'Congo - Kinshasa'],
    ['TZ', 'Tanzania', 'United Republic of Tanzania', 'Tanzania, United Republic of'],
    ['VN', 'Vietnam', 'Viet Nam'],
    ['GM', 'The Gambia', 'Gambia'],
    ['LC', 'St. Lucia', 'Saint Lucia'],
    ['GB', 'UK', 'United Kingdom'],
    ['ID', 'Indonesia', 'Indonésie', 'Indonesië'],
  ])('%s', (code, ...names) => {
    expect(names.filter((name) => countryCode(name) !== code)).toEqual([]);
  });

  test('no other text is a country', () => {
    for (const text of ['', 'Neverland', 'ZZ', 'EU', 'European Union', 'AN', 'Ghana Rwanda', '123'])
      expect(countryCode(text), text).toBeUndefined();
  });
});
