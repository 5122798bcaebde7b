/**
 * Does anything leak? More than 1,000 requests that fail, in every way that is known, with telling values in all places: in
 * the headers, documents, variables and files of clients, in the answers of the service, in the addresses of what is
 * called. They are looked for in the answers, in all lines of the log at LOG_LEVEL=trace, and in the metrics.
 *
 *     node canaries.ts
 *
 * Fails when one is found that its client has not been given back by design, or when fewer than 1,000 requests failed.
 */

import { huntCanaries } from '../test/observability/canaries/hunt.ts';
import { canaries } from '../test/observability/canaries/values.ts';
import { writeResults } from './lib/results.ts';
import { table } from './lib/tables.ts';

const { found, errorAnswers, codes, logLines } = await huntCanaries(1);
const report = [
  `${errorAnswers} answers with errors, ${logLines.length} lines of the log, ${Object.keys(canaries).length} values: ${found.length} hits`,
  table(
    ['code', 'answers'],
    Object.entries(codes)
      .sort(([, one], [, other]) => other - one)
      .map(([code, count]) => [code, String(count)]),
  ),
].join('\n\n');
console.log(report);
for (const { canary, where, text } of found.slice(0, 20)) console.log(`\n${canary} in ${where}:\n${text}`);
if (found.length > 0 || errorAnswers < 1_000) process.exitCode = 1;
writeResults('canaries', { errorAnswers, logLines: logLines.length, codes, hits: found.length }, { report });
