import { readFileSync } from 'node:fs';
import { generatedFrom, schemaPage } from '@gateway/contract/codegen';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { description } from './description.ts';

const schemaPageFile = new URL('../../docs/schema.md', import.meta.url);

/**
 * Files that follow from schema/: path → text. src/generated/graph.ts is missing: graphql-codegen writes it from the schema.
 * @throws ContractError
 */
export async function generatedFiles(): Promise<Record<string, string>> {
  const { contract, schema, files } = generatedFrom(description);
  return {
    'schema/generated/schema.graphql': files['schema.graphql'],
    'src/generated/contract.ts': files['contract.ts'],
    'src/generated/rest-service.ts': COMMENT_HEADER + astToString(await openapiTS(description.openApi)),
    'docs/schema.md': schemaPage(readFileSync(schemaPageFile, 'utf8'), contract, schema),
  };
}
