import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildASTSchema, type DocumentNode, type GraphQLSchema, print } from 'graphql';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import type { Contract } from './contract.ts';
import { contractModule } from './contract-module.ts';
import { ContractError, openApiFile } from './openapi.ts';
import { readContract } from './read-contract.ts';
import { wholeDocument } from './schema.ts';
import { schemaPage } from './schema-page.ts';
import { checkSdl, checkTypes } from './sdl-check.ts';

const root = new URL('../../../', import.meta.url);
const schemaPageFile = new URL('docs/schema.md', root);

/** Absolute paths, or paths from the root of the repository. */
export interface Description {
  /** The OpenAPI document. */
  openApi: string;
  /** The folder with the chapters of the SDL. */
  sdl: string;
  /** The folder for schema.graphql and contract.ts. */
  out: string;
}

/**
 * Files that follow from schema/: path → text. src/generated/graph.ts is missing: graphql-codegen writes it from the schema.
 * @throws ContractError
 */
export async function generatedFiles(): Promise<Record<string, string>> {
  const contract = readContract();
  const { document, schema } = checked(contract);
  return {
    'schema/generated/schema.graphql': schemaFile(document),
    'src/generated/contract.ts': contractModule(contract),
    'src/generated/rest-service.ts': COMMENT_HEADER + astToString(await openapiTS(openApiFile)),
    'docs/schema.md': schemaPage(readFileSync(schemaPageFile, 'utf8'), contract, schema),
  };
}

/**
 * Files that follow from the description of another service: path → text.
 * @throws ContractError
 */
export function generatedFrom({ openApi, sdl, out }: Description): Record<string, string> {
  const [file, folder] = [new URL(openApi, root), new URL(`${sdl}/`, root)];
  for (const [option, path] of Object.entries({ openapi: file, sdl: folder })) {
    if (!existsSync(path)) throw new ContractError([`--${option}: there is no ${fileURLToPath(path)}`]);
  }
  const contract = readContract(file);
  const { document } = checked(contract, folder);
  return {
    [`${out}/schema.graphql`]: schemaFile(document),
    [`${out}/contract.ts`]: contractModule(contract, openApi),
  };
}

function checked(contract: Contract, sdl?: URL): { document: DocumentNode; schema: GraphQLSchema } {
  const document = wholeDocument(contract, sdl);
  checkTypes(contract, document);
  const schema = schemaOf(document);
  checkSdl(contract, schema);
  return { document, schema };
}

function schemaOf(document: DocumentNode): GraphQLSchema {
  try {
    return buildASTSchema(document);
  } catch (error) {
    throw new ContractError(['schema/*.graphql is no schema:', (error as Error).message]);
  }
}

/** Printed from the document, because printing a built schema drops the uses of @length. */
function schemaFile(document: DocumentNode): string {
  return `# Written by \`npm run codegen\`; not to be edited.\n\n${print(document)}\n`;
}
