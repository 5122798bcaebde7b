#!/usr/bin/env node
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { exitCodeOf } from '@gateway/base';
import type { ContractPart } from './contract-part.ts';
import { generatedFrom } from './generated-files.ts';
import { writeFiles } from './write-files.ts';

// The command `rest-contract` of the package. Paths begin at the working directory.

const usage = `rest-contract --openapi <document> --sdl <folder> --out <folder> [--part <module>]…

Writes contract.ts and schema.graphql to the folder --out, from an OpenAPI document and the SDL files of a folder.
The default export of each module --part adds to both: rest-contract --part @gateway/push/codegen`;

const { resolve: moduleNamed } = createRequire(resolve('package.json'));
const folder = (path: string) => pathToFileURL(`${resolve(path)}/`);

const options = {
  openapi: { type: 'string' },
  sdl: { type: 'string' },
  out: { type: 'string' },
  part: { type: 'string', multiple: true, default: [] as string[] },
} as const;

process.exitCode = await exitCodeOf(async () => {
  const { openapi: name, sdl, out, part } = given();
  if (!name || !sdl || !out) throw new Error(usage);
  return writeFiles(folder(out), async () => {
    const load = async (module: string): Promise<ContractPart> =>
      (await import(pathToFileURL(moduleNamed(module)).href)).default;
    const parts = await Promise.all(part.map(load));
    return generatedFrom({ openApi: pathToFileURL(resolve(name)), name, sdl: folder(sdl), parts }).files;
  });
}, console);

/** @throws Error with the usage, for an option that there is not. */
function given() {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${usage}`);
  }
}
