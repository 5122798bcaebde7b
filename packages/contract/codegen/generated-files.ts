import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildASTSchema, type DocumentNode, type GraphQLSchema, print } from 'graphql';
import type { Contract } from './contract.ts';
import { ContractError } from './contract-error.ts';
import { contractModule } from './contract-module.ts';
import type { ContractPart } from './contract-part.ts';
import { readContract } from './read-contract.ts';
import { wholeDocument, withParts } from './schema.ts';
import { checkSdl, checkTypes } from './sdl-check.ts';
import { waysBackOf } from './ways-back.ts';

/** A service, as its files describe it. */
export interface Description {
  /** The OpenAPI document. */
  openApi: URL;
  /** The name in the comment of generated files. */
  name: string;
  /** The folder with the chapters of the SDL. */
  sdl: URL;
  /** The parts whose keys the document may have. */
  parts: readonly ContractPart[];
}

/** The contract, the schema that it gives, and the texts of both. */
export interface Generated {
  contract: Contract;
  schema: GraphQLSchema;
  files: { 'contract.ts': string; 'schema.graphql': string };
}

/** @throws ContractError */
export function generatedFrom(description: Description): Generated {
  const { openApi, sdl, parts } = description;
  for (const [option, path] of Object.entries({ openapi: openApi, sdl })) {
    if (!existsSync(path)) throw new ContractError([`--${option}: there is no ${fileURLToPath(path)}`]);
  }
  return generatedOf(readContract(openApi, parts), description);
}

/** @throws ContractError for what the SDL lacks, or has otherwise than the contract. */
export function generatedOf(contract: Contract, { name, sdl, parts }: Omit<Description, 'openApi'>): Generated {
  const ofService = wholeDocument(contract, sdl);
  checkTypes(contract, ofService);
  checkSdl(contract, schemaOf(ofService, contract));
  const document = withParts(ofService, contract, parts);
  const files = { 'contract.ts': contractModule(contract, name, parts), 'schema.graphql': schemaFile(document) };
  return { contract, schema: schemaOf(document, contract), files };
}

function schemaOf(document: DocumentNode, contract: Contract): GraphQLSchema {
  try {
    return buildASTSchema(document);
  } catch (error) {
    const { message } = error as Error;
    const twins = [...contract.types.keys()].filter((name) => message.includes(`one type named "${name}"`));
    const advice = twins.map((name) => `components.schemas.${name}: a part may have this type; name yours with x-type`);
    const ways = waysBackOf(contract).filter(({ type, way }) => message.includes(`"${type}.${way.field}"`));
    for (const { endpoint, way } of ways)
      advice.push(`${endpoint.at}.x-ways-back.${way.field}: a part may have this field; choose another name`);
    throw new ContractError(['schema/*.graphql is no schema:', message, ...advice]);
  }
}

/** Printed from the document, because printing a built schema drops the uses of @length. */
function schemaFile(document: DocumentNode): string {
  return `# Written by \`npm run codegen\`; not to be edited.\n\n${print(document)}\n`;
}
