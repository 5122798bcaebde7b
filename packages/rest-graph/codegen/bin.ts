#!/usr/bin/env node
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { exitCodeOf } from '@gateway/base';
import { GraphQLError } from 'graphql';
import { generatedFrom } from './generated-files.ts';

// The command `rest-graph` of the package. Paths begin at the working directory.

const usage = `rest-graph --openapi <document> --sdl <folder> --out <folder>

Writes contract.ts and schema.graphql to the folder --out, from an OpenAPI document and the SDL files of a folder.`;
const options = { openapi: { type: 'string' }, sdl: { type: 'string' }, out: { type: 'string' } } as const;

process.exitCode = await exitCodeOf(async () => {
  const { openapi, sdl, out } = parseArgs({ options }).values;
  if (!openapi || !sdl || !out) throw new Error(usage);
  const document = resolve(openapi);
  const files = described({ openApi: document, sdl: resolve(sdl), out: resolve(out) });
  mkdirSync(out, { recursive: true });
  // Other machines have other folders.
  for (const [path, text] of Object.entries(files)) writeFileSync(path, text.replace(document, openapi));
  return 0;
}, console);

function described(service: Parameters<typeof generatedFrom>[0]): Record<string, string> {
  try {
    return generatedFrom(service);
  } catch (error) {
    // An error of the SDL shows its place with toString alone.
    throw error instanceof GraphQLError ? new Error(String(error)) : error;
  }
}
