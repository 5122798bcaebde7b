import { runCostReport } from './command.ts';

process.exitCode = await runCostReport(process.argv.slice(2), console);
