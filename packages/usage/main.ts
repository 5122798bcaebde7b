import { runUsage } from './command.ts';

process.exitCode = await runUsage(process.argv.slice(2), console);
