import { runBill } from './command.ts';

process.exitCode = await runBill(process.argv.slice(2), console);
