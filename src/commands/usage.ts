import type { Output } from '@gateway/base';
import { executableSchema } from '@gateway/rest-graph';
import { runUsage } from '@gateway/usage/command';
import { traceability } from '../app.ts';

/** `npm run usage` */
export function usage(args: string[], output: Output): Promise<number> {
  return runUsage(args, output, () => executableSchema(traceability));
}

if (import.meta.main) process.exitCode = await usage(process.argv.slice(2), console);
