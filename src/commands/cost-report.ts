import type { Output } from '@gateway/base';
import { runCostReport } from '@gateway/cost-report/command';
import { traceability } from '../app.ts';
import { startTrial } from './trial.ts';

/** `npm run bill` */
export function costReport(args: string[], output: Output): Promise<number> {
  return runCostReport(args, output, { app: traceability, startTrial });
}

if (import.meta.main) process.exitCode = await costReport(process.argv.slice(2), console);
