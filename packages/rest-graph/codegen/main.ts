import { writeFileSync } from 'node:fs';
import { GraphQLError } from 'graphql';
import { generatedFiles } from './generated-files.ts';
import { ContractError } from './openapi.ts';

try {
  for (const [path, text] of Object.entries(await generatedFiles())) {
    writeFileSync(new URL(`../../../${path}`, import.meta.url), text);
  }
} catch (error) {
  if (!(error instanceof ContractError || error instanceof GraphQLError)) throw error;
  // An error of the SDL shows its place with toString alone.
  console.error(error instanceof GraphQLError ? String(error) : error.message);
  process.exitCode = 1;
}
