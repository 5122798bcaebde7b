import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { exitCodeOf, type Output } from '@gateway/base';
import type { Contract } from '@gateway/contract';
import { withDifferences } from './differences.ts';
import { patchOf } from './patch.ts';
import { readDrift } from './read-drift.ts';

const usage = `npm run -s drift -- [URL of metrics, or a file with their text] > drift.patch

How the answers of the service differ from schema/rest-service.openapi.yaml, as a running gateway has seen it. The patch adds
the differences to \`x-dialects\` of the contract: git apply drift.patch && npm run codegen
Without an argument, the command asks the gateway at ADMIN_PORT, or PORT, of this machine.`;

/** The service, and a gateway in front of it that may run here. */
export interface Drifting {
  contract: Contract;
  /** The OpenAPI document. */
  openApiFile: URL;
  /** The address of the gateway's metrics. */
  metricsUrl(): string;
}

/** Prints the patch, and sentences about it as errors. Returns the exit code: 2 where the drift cannot be read. */
export function runDrift(args: string[], output: Output, drifting: Drifting): Promise<number> {
  return exitCodeOf(async () => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { help: { type: 'boolean', default: false } },
    });
    if (values.help) output.log(usage);
    else await printPatch(positionals[0] ?? drifting.metricsUrl(), output, drifting);
    return 0;
  }, output);
}

async function printPatch(from: string, output: Output, { contract, openApiFile }: Drifting): Promise<void> {
  const { dialect, differences, unnamed } = await readDrift(from, contract);
  const before = readFileSync(openApiFile, 'utf8');
  const after = withDifferences(before, dialect, differences);
  if (after !== before) output.log(patchOf('schema/rest-service.openapi.yaml', before, after));
  const { size } = new Set(differences.map(({ place, field }) => `${place}.${field}`));
  output.error(`${size || 'No'} ${size < 2 ? 'field differs' : 'fields differ'} in the dialect ${dialect}.`);
  for (const name of unnamed) output.error(`${name}: this contract has no such place; compare it by hand.`);
}
