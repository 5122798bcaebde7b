/** Checks the machine and the service of the settings in force: `npm run -s doctor`. `KEY` is an API key to try. */
import { print } from '@gateway/base';
import { runChecks } from '@gateway/command';
import { checksOf } from './checks.ts';

process.exitCode = (await runChecks(checksOf(process.env), print)) ? 0 : 1;
