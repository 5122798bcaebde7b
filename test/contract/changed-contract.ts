import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { parse } from 'yaml';
import { contractModule } from '../../packages/contract/codegen/contract-module.ts';
import { parseContract } from '../../packages/contract/codegen/read-contract.ts';
import { Contract } from '../../packages/contract/contract.ts';
import { description } from '../../src/codegen/description.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests change whatever the document has
type Json = any;

const { name, parts, openApi } = description;
// Parsed once, and handed on as JSON: YAML takes most of the CPU of a contract.
const given: Json = parse(readFileSync(openApi, 'utf8'));

/** The contract of a document that differs from the service's, as the generator writes it. */
export async function changedContract(change: (document: Json) => void): Promise<Contract> {
  const document = structuredClone(given);
  change(document);
  const source = stripTypeScriptTypes(contractModule(parseContract(JSON.stringify(document), parts), name, parts));
  const url = `data:text/javascript,${encodeURIComponent(source)}`;
  return new Contract(await import(/* @vite-ignore */ url));
}

/** All schemas in a part of a document: objects with a `type`. */
export function schemasIn(value: Json, name = ''): { name: string; schema: Json }[] {
  if (value === null || typeof value !== 'object') return [];
  const own = typeof value.type === 'string' || Array.isArray(value.type) ? [{ name, schema: value }] : [];
  return [...own, ...Object.entries(value).flatMap(([key, below]) => schemasIn(below, key))];
}
