import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { GraphQLError } from 'graphql';
import { generatedFiles, generatedFrom } from './generated-files.ts';
import { ContractError } from './openapi.ts';

// `--openapi <file> --sdl <folder> --out <folder>` describe another service. Relative paths begin at the root of the repository.
const root = new URL('../../../', import.meta.url);
const options = { openapi: { type: 'string' }, sdl: { type: 'string' }, out: { type: 'string' } } as const;

try {
  const { openapi, sdl, out } = parseArgs({ options }).values;
  const files = openapi && sdl && out ? generatedFrom({ openApi: openapi, sdl, out }) : await generatedFiles();
  for (const [path, text] of Object.entries(files)) {
    const file = new URL(path, root);
    mkdirSync(new URL('.', file), { recursive: true });
    writeFileSync(file, text);
  }
} catch (error) {
  if (!(error instanceof ContractError || error instanceof GraphQLError)) throw error;
  // An error of the SDL shows its place with toString alone.
  console.error(error instanceof GraphQLError ? String(error) : error.message);
  process.exitCode = 1;
}
