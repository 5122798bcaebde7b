import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { startGateway } from '../support/harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'manifests-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: object): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const farmers = 'query Farmers { farmers { count } }';
const other = '{ serverTime }';

describe('the gateway does not start', () => {
  const start = (settings: Record<string, string>) => startGateway({ settings }).then((gateway) => gateway.close());

  test.each([
    ['no file', 'nothing/*.json', 'TRUSTED_DOCUMENTS: There is no file nothing/*.json.'],
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

  test.each(['log', 'enforce'])('in mode %s without manifests', (TRUSTED_DOCUMENTS_MODE) => {
    expect(() => readConfig({ TRUSTED_DOCUMENTS_MODE })).toThrow('TRUSTED_DOCUMENTS: must name');
    expect(() => readConfig({ TRUSTED_DOCUMENTS_MODE, TRUSTED_DOCUMENTS: ' , ' })).toThrow(
      'TRUSTED_DOCUMENTS: must name',
    );
  });
});
