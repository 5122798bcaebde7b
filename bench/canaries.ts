/**
 * Does anything leak? Makes more than 1,000 requests fail, in every known way. Marked values stand in
 * headers, documents, variables and files of clients, in answers of the service, and in addresses. The search for them
 * covers the answers, all lines of the log at LOG_LEVEL=trace, and the metrics.
 *
 *     node canaries.ts
 *
 * Fails when a value appears that its client may not get back, or when fewer than 1,000 requests failed.
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
