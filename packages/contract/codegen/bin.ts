#!/usr/bin/env node
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { exitCodeOf } from '@gateway/base';
import { ContractError } from './contract-error.ts';
import type { ContractPart } from './contract-part.ts';
import { type Description, type Generated, generatedFrom } from './generated-files.ts';
import { suggestedKeys } from './suggestions.ts';
import { writeFiles } from './write-files.ts';

// The command `rest-contract` of the package. Paths begin at the working directory.

const usage = `rest-contract --openapi <document> --sdl <folder> --out <folder> [--part <module>]…

Writes contract.ts and schema.graphql to the folder --out, from an OpenAPI document and the SDL files of a folder.
If that folder is empty, it gets the types of the document, for you to describe.
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
    const description = { openApi: pathToFileURL(resolve(name)), name, sdl: folder(sdl), parts };
    mkdirSync(sdl, { recursive: true });
    const { contract, files } = readdirSync(sdl).length > 0 ? generatedFrom(description) : begun(description);
    for (const line of suggestedKeys(contract)) console.log(line);
    return files;
  });
}, console);

/** Writes the types of the document to an empty folder. Somebody has to describe them. */
function begun(description: Description): Generated {
  try {
    return generatedFrom(description);
  } catch (error) {
    if (!(error instanceof ContractError) || error.sdl === undefined) throw error;
    const file = new URL('types.graphql', description.sdl);
    writeFileSync(file, error.sdl);
    console.log(
      `${fileURLToPath(file)} is new: write the descriptions that it lacks (…). After a change of the document, delete it and begin again`,
    );
    return generatedFrom(description);
  }
}

/** @throws Error with the usage, for an option that there is not. */
function given() {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${usage}`);
  }
}
