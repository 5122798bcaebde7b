import { readFileSync } from 'node:fs';
import { buildASTSchema, print } from 'graphql';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { contractModule } from './contract-module.ts';
import { openApiFile } from './openapi.ts';
import { readContract } from './read-contract.ts';
import { wholeDocument } from './schema.ts';
import { schemaPage } from './schema-page.ts';
import { checkSdl, checkTypes } from './sdl-check.ts';

const schemaPageFile = new URL('../../../docs/schema.md', import.meta.url);

/**
 * Files that follow from schema/: path → text. src/generated/graph.ts is missing: graphql-codegen writes it from the schema.
 * @throws ContractError
 */
export async function generatedFiles(): Promise<Record<string, string>> {
  const contract = readContract();
  const document = wholeDocument(contract);
  checkTypes(contract, document);
  const schema = buildASTSchema(document);
  checkSdl(contract, schema);
  return {
    // Printed from the document, because printing a built schema drops the uses of @length.
    'schema/generated/schema.graphql': `# Written by \`npm run codegen\`; not to be edited.\n\n${print(document)}\n`,
    'src/generated/contract.ts': contractModule(contract),
    'src/generated/rest-service.ts': COMMENT_HEADER + astToString(await openapiTS(openApiFile)),
    'docs/schema.md': schemaPage(readFileSync(schemaPageFile, 'utf8'), contract, schema),
  };
}
