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

/** Jest ends with an error where a test fails; the report says which. A failed suite leaves servers open. */
async function runJest(): Promise<Report> {
  const args = ['--experimental-vm-modules', jest, '--ci', '--json', '--forceExit'];
  const options = { cwd: folder, env: { PATH: process.env.PATH }, maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, args, options).catch((failed) => failed);
  return JSON.parse(stdout);
}

/** The suite wants `Allow: GET, POST`, and the gateway takes QUERY too. The gateway says in its own words that a parameter repeats. */
const ofGateway =
  /rejects the request if the method is not POST or GET$|does not accept multiple query search parameters$/;

describe.skipIf(reason)(`Apollo's suite for integrations${reason}`, () => {
  test('passes, except incremental delivery, the methods of Allow and the words for a repeated parameter', {
    timeout: 120_000,
  }, async () => {
    const { numPassedTests, testResults } = await runJest();
    const others = testResults.flatMap(({ message, assertionResults }) => [
      // A file that does not load has no assertions.
      ...(assertionResults.length === 0 ? [message] : []),
      ...assertionResults
        .filter(({ status }) => status !== 'passed')
        .map(({ status, fullName }) => `${status}: ${fullName}`)
        .filter((line) => !ofGateway.test(line))
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
