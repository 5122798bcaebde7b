import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { startGateway } from '../../../test/support/harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'manifests-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: object): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const farmers = 'query Farmers { farmers { count } }';
const other = '{ serverTime }';

const start = (settings: Record<string, string>) => startGateway({ settings }).then((gateway) => gateway.close());
const manifest = (body: string) => write('limits.json', { operations: [{ id: 'a', body }] });

describe('the gateway does not start', () => {
  test.each([
    ['no file', 'nothing/*.json', 'TRUSTED_DOCUMENTS: There is no file or folder nothing/*.json.'],
    ['no manifest', write('package.json', { name: 1 }), 'package.json: This is no manifest of persisted documents.'],
    ['no id', write('no-id.json', { operations: [{ body: farmers }] }), 'no-id.json: This is no manifest'],
    [
      'an operation of another schema',
      write('pets.json', { a: farmers, b: 'query Pets { pets }' }),
      'pets.json: Pets: Cannot query field "pets"',
    ],
    ['no GraphQL', write('broken.json', { abc: 'query {' }), 'broken.json: abc: Syntax Error'],
    [
      'two documents of one id',
      `${write('one.json', { a: farmers })},${write('two.json', { 'sha256:a': other })}`,
      'two.json: sha256:a: Another document has the same id.',
    ],
  ])('with %s', async (_, files, message) => {
    await expect(start({ TRUSTED_DOCUMENTS: files })).rejects.toThrow(message);
  });

  const times = (count: number, part: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => part(n)).join(' ');

  test.each<[limit: string, body: string, settings: Record<string, string>, message: string]>([
    [
      'tokens',
      '{ serverTime serverTime }',
      { 'limits.documents.tokens': '3' },
      'more than 3 tokens (limits.documents.tokens)',
    ],
    [
      'lines',
      '{\n\n\n\nserverTime }',
      { 'limits.documents.tokens': '3' },
      'more than 3 lines (limits.documents.tokens)',
    ],
    [
      'levels',
      'query A { farmers { results { id } } }',
      { 'limits.documents.depth': '2' },
      'has 3 levels of fields; 2 are allowed',
    ],
    ['fields', 'query A { farmers { count next } }', { 'limits.documents.fields': '2' }, '(limits.documents.fields)'],
    [
      'fields of one object',
      `query A { farmers { ${'count '.repeat(121)} } }`,
      {},
      '(limits.documents.fieldsPerObject)',
    ],
    [
      'aliases',
      'query A { a: serverTime b: serverTime }',
      { 'limits.documents.aliases': '1' },
      '(limits.documents.aliases)',
    ],
    [
      'introspection',
      'query A { __schema { description } }',
      { INTROSPECTION: 'false' },
      'switched off (INTROSPECTION)',
    ],
    [
      'rows',
      'query A { farmers(first: 1001) { count } }',
      {},
      '`first` can be 1000 at most (limits.operations.pageSize)',
    ],
    ['cost', 'query A { farmers { results { id } } }', { 'limits.operations.cost': '1' }, '(limits.operations.cost)'],
    [
      'cost with any variables',
      'query A($id: ID!, $n: Int) { farmer(id: $id) { buyer { buyer { id } } } farmers(first: $n) { results { id } } }',
      { 'limits.operations.cost': '3' },
      'asks for about 4 objects; 3 are allowed (limits.operations.cost)',
    ],
    [
      'calls',
      `query A($id: ID!) { user(id: $id) { id } ${times(3, (n) => `u${n}: user(id: "${n}") { id }`)} }`,
      { 'limits.operations.upstreamCalls': '3' },
      'needs 4 REST calls at least; 3 are allowed (limits.operations.upstreamCalls)',
    ],
    [
      'calls of an operation that writes',
      'mutation A($i: CreateFarmerInput!) { a: createFarmer(input: $i) { id } b: createFarmer(input: $i) { id } }',
      { 'limits.operations.upstreamCalls': '1' },
      'needs 2 REST calls at least; 1 are allowed',
    ],
    ['a subscription', 'subscription A { farmers }', {}, 'Subscriptions are not supported'],
  ])('with a document that is refused for everybody: %s', async (_, body, settings, message) => {
    const refused = start({ TRUSTED_DOCUMENTS: manifest(body), ...settings });
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toThrow(/^TRUSTED_DOCUMENTS: .*limits\.json: (A|a): /);
  });

  test.each(['log', 'enforce'])('in mode %s without manifests', (TRUSTED_DOCUMENTS_MODE) => {
    expect(() => readConfig({ TRUSTED_DOCUMENTS_MODE })).toThrow('TRUSTED_DOCUMENTS: must name');
    expect(() => readConfig({ TRUSTED_DOCUMENTS_MODE, TRUSTED_DOCUMENTS: ' , ' })).toThrow(
      'TRUSTED_DOCUMENTS: must name',
    );
  });
});

test.each<[choice: string, body: string, settings: Record<string, string>]>([
  ['rows', 'query A($n: Int!) { farmers(first: $n) { results { buyer { id } } } }', { 'limits.operations.cost': '1' }],
  [
    'a cursor',
    'query A($n: Int, $after: String) { farmers(first: $n, after: $after) { count } }',
    { 'limits.operations.cost': '1' },
  ],
  [
    'a condition',
    'query A($more: Boolean!) { farmers { count } user(id: "a") @include(if: $more) { id } }',
    { 'limits.operations.upstreamCalls': '1' },
  ],
  [
    'ids that may be one',
    'query A($a: ID!, $b: ID!) { a: user(id: $a) { id } b: user(id: $b) { id } }',
    { 'limits.operations.upstreamCalls': '1' },
  ],
  ['a file', 'mutation A($f: Upload!) { uploadInvoice(payment_transaction: "a", invoice: $f) { id } }', {}],
])('the gateway starts with a trusted document that fits with some variables: %s', async (_, body, settings) => {
  await start({ TRUSTED_DOCUMENTS: manifest(body), ...settings });
});
