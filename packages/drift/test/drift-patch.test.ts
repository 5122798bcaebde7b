import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { description } from '../../../src/codegen/description.ts';
import { drift as runDrift } from '../../../src/commands/drift.ts';
import { serviceContract } from '../../../src/service-contract.ts';
import { startFakedGateway } from '../../../test/support/harness.ts';
import { get, type Json } from '../../../test/support/rest.ts';
import { parseContract } from '../../contract/codegen/read-contract.ts';
import type { DialectName } from '../../contract/dialect-traits.ts';
import { Dialect } from '../../upstream/dialect.ts';
import { ContractDrift } from '../contract-drift.ts';
import { withDifferences } from '../differences.ts';
import { patchOf } from '../patch.ts';

const folder = mkdtempSync(join(tmpdir(), 'drift-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs `npm run drift -- …`, and returns its output and exit code. */
async function drift(...args: string[]) {
  const printed = { log: '', error: '' };
  const code = await runDrift(args, {
    log: (text) => {
      printed.log += `${text}\n`;
    },
    error: (text) => {
      printed.error += `${text}\n`;
    },
  });
  return { code, ...printed };
}

function edit({ results: [first, second, third] }: Json): void {
  first.shoe_size = null;
  second.shoe_size = 43;
  third.shoe_size = 43.5;
  delete first.city;
  second.city = 1;
  first.consent_status = 'WITHDRAWN';
  first.entity_card.card.colours = ['red'];
}

test.each([
  { dialect: 'spec', key: 'demo-coop' },
  { dialect: 'connect', key: 'Bearer demo-coop' },
] as const)('`npm run drift` prints a patch after which a $dialect service has no drift', async ({ dialect, key }) => {
  await using gateway = await startFakedGateway({}, { sandbox: { dialect } });
  gateway.upstream.fail('/supply-chains/farmers/', { edit: (answer) => edit(answer.data ?? answer) });
  const answer = await get(gateway.sandbox, '/supply-chains/farmers/?limit=5', key);
  edit(answer);
  await gateway.query('{ farmers(limit: 5) { results { id } } }', {}, { key });

  const { code, log, error } = await drift(new URL('/metrics', gateway.url).href);

  expect({ code, error }).toEqual({ code: 0, error: `4 fields differ in the dialect ${dialect}.\n` });
  const text = readFileSync(description.openApi, 'utf8');
  const patched = applied(text, log);
  const added = patched.split('\n').filter((line) => !text.includes(`${line}\n`));
  expect(added.map((line) => line.trim())).toEqual(
    expect.arrayContaining([
      'shoe_size: [integer, number]',
      'city: [absent, integer]',
      'consent_status: WITHDRAWN',
      'colours: array',
    ]),
  );
  expect(driftAfter(patched, dialect, answer)).toEqual([]);
  expect(driftAfter(text, dialect, answer)).not.toEqual([]);
});

test('a patch has an empty line at the end of its context', () => {
  const patch = patchOf('x.yaml', 'a: 1\nb: 2\n\n', 'a: 4\nb: 2\n\n');
  expect(patch.split('\n').slice(-5)).toEqual(['@@ -1,3 +1,3 @@', '-a: 1', '+a: 4', ' b: 2', ' ']);
});

/** The contract after `git apply`. */
function applied(text: string, patch: string): string {
  const repository = mkdtempSync(join(folder, 'repository-'));
  const file = join(repository, 'schema/rest-service.openapi.yaml');
  cpSync(description.openApi, file);
  execFileSync('git', ['init', '--quiet'], { cwd: repository });
  execFileSync('git', ['apply', '-'], { cwd: repository, input: patch });
  const patched = readFileSync(file, 'utf8');
  expect(patched).not.toBe(text);
  return patched;
}

/** Drift of an answer by a contract whose generated files are new. */
function driftAfter(text: string, dialect: DialectName, answer: Json) {
  const { dialects } = parseContract(text, description.parts);
  const drift = new ContractDrift(serviceContract, new Dialect(serviceContract, dialect), dialects);
  drift.examine('listFarmers', answer);
  return [...drift.counts()];
}

test('`npm run drift` asks the gateway of this machine, and prints nothing where there is no drift', async () => {
  await using gateway = await startFakedGateway();
  const env = { ...process.env, PORT: new URL(gateway.url).port };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['src/commands/drift.ts'], { env });
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: 'No field differs in the dialect spec.\n' });
});

test('`npm run drift` names fields that a patch cannot, and metrics without a gateway', async () => {
  const metrics = join(folder, 'metrics.txt');
  const counter = (endpoint: string, field: string) =>
    `gateway_upstream_drift_total{endpoint="${endpoint}",field="${field}",kind="unknown",seen="string"} 1\n`;
  writeFileSync(metrics, 'up 1\n');
  expect(await drift(metrics)).toMatchObject({
    code: 2,
    log: '',
    error: expect.stringContaining('There is no metric'),
  });
  writeFileSync(
    metrics,
    `gateway_upstream_dialect{configured="auto",used="spec",seen="spec"} 1\n${counter('getFarmer', 'other')}${counter('getTeapot', 'a')}`,
  );
  const { code, log, error } = await drift(metrics);
  expect({ code, log }).toEqual({ code: 0, log: '' });
  expect(error.match(/^\w+ \w+(?=: this contract has no such place)/gm)).toEqual(['getFarmer other', 'getTeapot a']);
  expect((await drift(join(folder, 'missing'))).code).toBe(2);
  writeFileSync(metrics, 'gateway_upstream_dialect{configured="spec",used="spec",seen="connect"} 1\n');
  expect(await drift(metrics)).toMatchObject({
    code: 2,
    log: '',
    error: expect.stringContaining('set UPSTREAM_DIALECT=connect first'),
  });
});

test('the section of the contract is written as `npm run drift` writes it, so that a patch adds lines alone', () => {
  const text = readFileSync(description.openApi, 'utf8');
  expect(withDifferences(text, 'connect', [{ place: 'Card', field: 'is_active', word: 'boolean' }])).toBe(text);
});
