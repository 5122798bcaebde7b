import { writeFileSync } from 'node:fs';
import { generatedFiles } from './generated-files.ts';
import { ContractError } from './openapi.ts';

try {
  for (const [path, text] of Object.entries(await generatedFiles())) {
    writeFileSync(new URL(`../../${path}`, import.meta.url), text);
  }
} catch (error) {
  if (!(error instanceof ContractError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
