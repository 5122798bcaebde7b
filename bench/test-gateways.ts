import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importTesting } from '../test/support/testing-package.ts';

/**
 * Times of the package for tests of apps: a first gateway, a further one, `reset`, and a hundred gateways.
 * Fails where one gateway sees a row of another, and beyond the bars. `--first` is one process of tests.
 */
const runs = 15;
const bars = { first: 300, further: 50, reset: 20 };

const { startGateway } = await importTesting();
const timeOf = async (work: () => Promise<unknown>) => {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
};
const medianOf = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

if (process.argv.includes('--first')) {
  console.log(await timeOf(startGateway));
  process.exit();
}

const first = () => Number(execFileSync(process.execPath, [import.meta.filename, '--first'], { encoding: 'utf8' }));
rmSync(join(tmpdir(), 'traceability-graphql-gateway'), { recursive: true, force: true });
const withoutCache = first();
const firsts = Array.from({ length: runs }, first);

const gateways = [await startGateway()];
const furthers: number[] = [];
const resets: number[] = [];
for (let run = 0; run < runs; run++) {
  furthers.push(await timeOf(async () => gateways.push(await startGateway())));
  await gateways[0]?.graphql('{ farmers(limit: 20) { results { buyer { name } } } }');
  resets.push(await timeOf(async () => gateways[0]?.reset()));
}
await Promise.all(gateways.map((gateway) => gateway.stop()));

const sideBySide = await timeOf(async () => {
  const numbers = Array.from({ length: 100 }, (_, number) => number);
  const found = await Promise.all(
    numbers.map(async (number) => {
      await using gateway = await startGateway();
      const name = `Only ${number}`;
      await gateway.graphql(`mutation { createFarmer(input: { first_name: "${name}" }) { id } }`);
      const { data } = await gateway.graphql('{ farmers(first_name: "Only") { results { first_name } } }');
      return data.farmers.results.length === 1 && data.farmers.results[0].first_name === name;
    }),
  );
  if (found.includes(false)) throw new Error('A gateway shows rows of another one.');
});

const medians = { first: medianOf(firsts), further: medianOf(furthers), reset: medianOf(resets) };
console.log(
  `first gateway of a process   ${medians.first.toFixed(0)} ms (${withoutCache.toFixed(0)} ms without a cache of compiled code)`,
);
console.log(`further gateway              ${medians.further.toFixed(1)} ms`);
console.log(`reset                        ${medians.reset.toFixed(1)} ms`);
console.log(`a hundred side by side       ${sideBySide.toFixed(0)} ms, each with a write and a read`);
for (const [name, bar] of Object.entries(bars)) {
  if (medians[name as keyof typeof bars] <= bar) continue;
  console.log(`${name} takes longer than ${bar} ms`);
  process.exitCode = 1;
}
