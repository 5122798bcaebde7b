import { readdirSync, readFileSync } from 'node:fs';
import { type DefinitionNode, Kind, parse, print } from 'graphql';
import type { Contract } from './contract.ts';
import { connectionsSdl, rootSdl } from './sdl.ts';

const folder = new URL('../../schema/', import.meta.url);
const rootFile = 'root.graphql';

/** The text of schema/generated/schema.graphql: schema/*.graphql, with what the contract adds to it. */
export function wholeSchema(contract: Contract): string {
  const others = readdirSync(folder).filter((file) => file.endsWith('.graphql') && file !== rootFile);
  const written = [rootFile, ...others.sort()].flatMap(
    (file) => parse(readFileSync(new URL(file, folder), 'utf8')).definitions,
  );
  const root = parse(rootSdl(contract)).definitions;
  const definitions = written.map((definition) => withFieldsOf(root, definition));
  const connections = parse(connectionsSdl(contract)).definitions;
  // Printed from the document, because printing a built schema drops the uses of @length.
  const text = print({ kind: Kind.DOCUMENT, definitions: [...definitions, ...connections] });
  return `# Written by \`npm run codegen\`; not to be edited.\n\n${text}\n`;
}

/** Fields from the contract come first. */
function withFieldsOf(root: readonly DefinitionNode[], definition: DefinitionNode): DefinitionNode {
  if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return definition;
  const added = root.flatMap((other) =>
    other.kind === definition.kind && other.name.value === definition.name.value ? (other.fields ?? []) : [],
  );
  return { ...definition, fields: [...added, ...(definition.fields ?? [])] };
}
