import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { root } from './processes.ts';

/**
 * Writes `results/<name>.json`, and beside it the report (Markdown) and the plot (SVG).
 * The machine is said, for figures mean little without it.
 */
export function writeResults(name: string, results: object, { report, plot }: { report: string; plot?: string }): void {
  const machine = { cpus: availableParallelism(), model: cpus()[0]?.model, node: process.version };
  mkdirSync(`${root}results`, { recursive: true });
  const text = JSON.stringify({ when: new Date().toISOString(), machine, ...results }, null, 1);
  writeFileSync(`${root}results/${name}.json`, `${text}\n`);
  writeFileSync(`${root}results/${name}.md`, `${report}\n`);
  if (plot) writeFileSync(`${root}results/${name}.svg`, plot);
  console.log(`\nWritten to results/${name}.*`);
}
