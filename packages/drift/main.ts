import { runDrift } from './command.ts';

process.exitCode = await runDrift(process.argv.slice(2), console);
