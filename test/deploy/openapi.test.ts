import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { errorCodes } from '../../packages/base/errors/codes.ts';
import { failureStatus } from '../../packages/graphql-serve/operations/errors/status.ts';
import { type Gateway, startGateway } from '../support/harness.ts';

interface Response {
  content?: Record<string, unknown>;
}
type Operation = { operationId: string; responses: Record<string, Response> };

const description: { openapi: string; paths: Record<string, Record<string, Operation>> } = parse(
  readFileSync(new URL('../../deploy/openapi.yaml', import.meta.url), 'utf8'),
  { merge: true },
);

let gateway: Gateway;
let media: string;
beforeAll(async () => {
  gateway = await startGateway({ settings: { MEDIA_PROXY: 'true', MEDIA_URL: 'http://gateway.example' } });
  const { data } = await gateway.query('{ farmers(limit: 20) { results { image } } }');
  const images: (string | null)[] = data.farmers.results.map(({ image }: { image: string | null }) => image);
  media = new URL(images.find((image) => image !== null)!).pathname;
});
afterAll(() => gateway.close());

const json = {
  authorization: 'demo-coop',
  'content-type': 'application/json',
  accept: 'application/graphql-response+json',
};
const post = (body: string, headers: Record<string, string> = json) => ({ method: 'POST', headers, body });

test.each<[number, string, () => string, RequestInit]>([
  [200, '/graphql', () => '/graphql', post('{"query": "{ farmers(limit: 1) { count } }"}')],
  [
    200,
    '/graphql',
    () => '/graphql',
    post('{"query": "{ farmers(limit: 1) { results { id } } }"}', { ...json, accept: 'text/csv' }),
  ],
  [294, '/graphql', () => '/graphql', post('{"query": "{ __typename farmer(id: \\"A\\") { id } }"}')],
  [400, '/graphql', () => '/graphql', post('{"query": "{"}')],
  [
    401,
    '/graphql',
    () => '/graphql',
    { method: 'POST', body: new FormData(), headers: { 'apollo-require-preflight': 'a' } },
  ],
  [406, '/graphql', () => '/graphql', post('{"query": "{ __typename }"}', { ...json, accept: 'image/png' })],
  [413, '/graphql', () => '/graphql', post(`{"query": "{ __typename }", "a": "${'a'.repeat(300_000)}"}`)],
  [415, '/graphql', () => '/graphql', post('{', { ...json, 'content-type': 'text/plain' })],
  [422, '/graphql', () => '/graphql', post('{"query": "{ nothing }"}')],
  [200, '/graphql', () => '/graphql', { headers: { accept: 'text/html' } }],
  [200, '/graphql', () => '/graphql?query={__typename}', { headers: { 'apollo-require-preflight': 'a' } }],
  [
    405,
    '/graphql',
    () => '/graphql?query=mutation{createPremium(input:{name:"a"}){id}}',
    { headers: { 'apollo-require-preflight': 'a' } },
  ],
  [204, '/graphql', () => '/graphql', { method: 'OPTIONS' }],
  [200, '/media/{path}', () => media, { headers: { authorization: 'demo-coop' } }],
  [206, '/media/{path}', () => media, { headers: { authorization: 'demo-coop', range: 'bytes=0-1' } }],
  [401, '/media/{path}', () => media, {}],
  [404, '/media/{path}', () => '/media/nothing.png', { headers: { authorization: 'demo-coop' } }],
  [200, '/health/live', () => '/health/live', {}],
  [200, '/health/ready', () => '/health/ready', {}],
  [200, '/metrics', () => '/metrics', {}],
])('describes the %i of %s', async (status, path, addressOf, init) => {
  const answer = await fetch(new URL(addressOf(), gateway.url), init);
  const { responses } = description.paths[path]![(init.method ?? 'GET').toLowerCase()]!;
  const type = answer.headers.get('content-type')?.replace(/;.*/, '') ?? '';
  const types = Object.keys(responses[status]?.content ?? {});

  expect(answer.status).toBe(status);
  expect(Object.keys(responses)).toContain(String(status));
  if (types.length > 0) expect(types.includes('*/*') ? '*/*' : type).toBeOneOf(types);
  await answer.body?.cancel();
});

test('describes the paths of the gateway and their methods', async () => {
  for (const [path, { parameters: _, ...methods }] of Object.entries(description.paths)) {
    const answer = await fetch(new URL(path.replace('{path}', 'a'), gateway.url), { method: 'DELETE' });
    expect([path, answer.status]).toEqual([path, 405]);
    const allowed = answer.headers
      .get('allow')!
      .split(', ')
      .map((method) => method.toLowerCase());
    // HEAD goes wherever GET does. OpenAPI 3.1 has no QUERY.
    const described = Object.keys(methods).filter((method) => method !== 'options');
    expect(allowed.filter((method) => method !== 'head' && method !== 'query').sort()).toEqual(described.sort());
  }
});

test('describes the status of each code that a file can fail with', () => {
  const { responses } = description.paths['/media/{path}']!.get!;
  const codes = [
    'UNAUTHENTICATED',
    'FORBIDDEN',
    'NOT_FOUND',
    'RATE_LIMITED',
    'UPSTREAM_UNAVAILABLE',
    'UPSTREAM_TIMEOUT',
  ] as const;

  expect(codes.filter((code) => !(code in errorCodes))).toEqual([]);
  expect(codes.map((code) => String(failureStatus(code))).filter((status) => !(status in responses))).toEqual([]);
});

const folder = new URL('node_modules/@seriousme/openapi-schema-validator/', import.meta.url);
const hasValidator = existsSync(folder);
if (!hasValidator) console.warn('openapi.yaml is not held to the schema of OpenAPI: run npm ci in test/deploy.');

test.skipIf(!hasValidator)('openapi.yaml fits the schema of OpenAPI', async () => {
  const { Validator } = await import(new URL('index.js', folder).href);
  const validate = async (specification: object) => (await new Validator().validate(specification)).errors;

  expect(await validate({ ...description, path: {} })).toBeDefined();
  expect(await validate(description)).toBeUndefined();
});
