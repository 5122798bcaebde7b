import { readFileSync } from 'node:fs';
import { generatedFrom, schemaPage } from '@gateway/contract/codegen';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { graphTypes } from '../../codegen.ts';
import { description } from './description.ts';

const schemaPageFile = new URL('../../docs/schema.md', import.meta.url);

/**
 * Files that follow from schema/: path → text.
 * @throws ContractError
 */
export async function generatedFiles(): Promise<Record<string, string>> {
  const generated = generatedFrom(description);
  return {
    'schema/generated/schema.graphql': generated.files['schema.graphql'],
    'src/generated/contract.ts': generated.files['contract.ts'],
    'src/generated/rest-service.ts': COMMENT_HEADER + astToString(await openapiTS(description.openApi)),
    'src/generated/graph.ts': await graphTypes(generated),
    'docs/schema.md': schemaPage(readFileSync(schemaPageFile, 'utf8'), generated.contract, generated.schema),
  };
}
