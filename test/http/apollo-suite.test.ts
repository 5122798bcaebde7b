import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import gatewayPackage from '../../package.json' with { type: 'json' };
import suitePackage from '../apollo-suite/package.json' with { type: 'json' };

const folder = join(import.meta.dirname, '../apollo-suite');
const jest = join(folder, 'node_modules/jest/bin/jest.js');
const reason = existsSync(jest) ? '' : ' (not installed: "npm ci" in test/apollo-suite)';

interface Report {
  numPassedTests: number;
  testResults: { message: string; assertionResults: { status: string; fullName: string }[] }[];
}

/** Jest ends with an error where a test fails; the report says which. */
async function runJest(): Promise<Report> {
  const args = ['--experimental-vm-modules', jest, '--ci', '--json'];
  const options = { cwd: folder, env: { PATH: process.env.PATH }, maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, args, options).catch((failed) => failed);
  return JSON.parse(stdout);
}

describe.skipIf(reason)(`Apollo's suite for integrations${reason}`, () => {
  test('passes, except incremental delivery', { timeout: 120_000 }, async () => {
    const { numPassedTests, testResults } = await runJest();
    const others = testResults.flatMap(({ message, assertionResults }) => [
      ...(message ? [message] : []),
      ...assertionResults
        .filter(({ status }) => status !== 'passed')
        .map(({ status, fullName }) => `${status}: ${fullName}`)
        .filter((line) => !/^pending: .*(incremental delivery|fields with defer)/.test(line)),
    ]);
    expect(others).toEqual([]);
    expect(numPassedTests).toBeGreaterThan(200);
  });
});

test("the suite is installed with the gateway's versions", () => {
  const { '@apollo/server': server, graphql } = gatewayPackage.dependencies;
  expect(suitePackage.overrides['@apollo/server']).toBe(server);
  expect(suitePackage.devDependencies.graphql).toBe(graphql);
});
