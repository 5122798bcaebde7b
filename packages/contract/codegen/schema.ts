import { readdirSync, readFileSync } from 'node:fs';
import { type DefinitionNode, type DocumentNode, Kind, parse, Source } from 'graphql';
import type { Contract } from './contract.ts';
import type { ContractPart } from './contract-part.ts';
import { withInheritance } from './inheritance.ts';
import { fieldsIn, withFields } from './object-fields.ts';
import { withOpenEnums } from './open-enums.ts';
import type { Schema } from './openapi.ts';
import { connectionsSdl, rootSdl } from './sdl.ts';
import { withSemanticNonNull } from './semantic-non-null.ts';
import { rowsSdl, withWaysBack } from './ways-back.ts';

const standardFile = new URL('standard.graphql', import.meta.url);
const rootFile = 'root.graphql';

/**
 * The chapters of a folder, with the root fields and connections that the contract adds. Standard definitions stand in for
 * those that the chapters lack.
 */
export function wholeDocument(contract: Contract, folder: URL): DocumentNode {
  const chapters = chaptersIn(folder);
  const written = [...chapters, ...standardBeside(chapters, contract)];
  const definitions = withRootFields(contract, written);
  const types = withWaysBack(contract, withOpenEnums(contract, withInheritance(contract, definitions)));
  const { definitions: added } = parse(connectionsSdl(contract) + rowsSdl(contract));
  return { kind: Kind.DOCUMENT, definitions: withSemanticNonNull(contract, [...types, ...added]) };
}

/** The document with the types of parts, and their fields at the end of other types. */
export function withParts(document: DocumentNode, contract: Contract, parts: readonly ContractPart[]): DocumentNode {
  const { extensions, types } = definitionsOfParts(contract, parts);
  const definitions = withFields([...document.definitions, ...types], (type, fields) => {
    const own = extensions.filter(({ name }) => name.value === type);
    return [...fields, ...own.flatMap((extension) => extension.fields ?? [])];
  });
  return { kind: Kind.DOCUMENT, definitions };
}

/** Fields that parts add to types of the service, and to Query, by type. */
export function fieldsOfParts(contract: Contract, parts: readonly ContractPart[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const { name, fields = [] } of definitionsOfParts(contract, parts).extensions) {
    if (!contract.types.has(name.value) && name.value !== 'Query') continue;
    found[name.value] = [...(found[name.value] ?? []), ...fields.map((field) => field.name.value)];
  }
  return found;
}

function definitionsOfParts(contract: Contract, parts: readonly ContractPart[]) {
  const all = parts.flatMap(({ name, typeDefs }) => {
    const text = typeDefs?.(contract);
    return text ? parse(new Source(text, `the SDL of ${name}`)).definitions : [];
  });
  return {
    extensions: all.filter((definition) => definition.kind === Kind.OBJECT_TYPE_EXTENSION),
    types: all.filter(({ kind }) => kind !== Kind.OBJECT_TYPE_EXTENSION),
  };
}

/** The definitions of all files, that of the root first. */
function chaptersIn(folder: URL): DefinitionNode[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.graphql'));
  const chapters = new Map(files.map((file) => [file, definitionsIn(new URL(file, folder))]));
  const root = chapters.get(rootFile) ?? [];
  chapters.delete(rootFile);
  return [...root, ...[...chapters.keys()].sort().flatMap((file) => chapters.get(file) ?? [])];
}

function definitionsIn(file: URL): readonly DefinitionNode[] {
  const name = file.pathname.split('/').slice(-2).join('/');
  return parse(new Source(readFileSync(file, 'utf8'), name)).definitions;
}

/** Definitions that each schema needs, where the chapters have none of that name. A service without writes has no Mutation. */
function standardBeside(chapters: readonly DefinitionNode[], contract: Contract): DefinitionNode[] {
  const { endpoints, types, inputs, schemas } = contract;
  const given = new Set(chapters.map(nameOf));
  if (endpoints.every(({ does }) => does !== 'write')) given.add('Mutation');
  const objects = [...types.values(), ...[...inputs.values()].map((name) => schemas[name])];
  if (!objects.some((object) => Object.values(object?.properties ?? {}).some(isOfJson))) given.add('JSON');
  const { definitions } = parse(readFileSync(standardFile, 'utf8'));
  return definitions.filter((definition) => !given.has(nameOf(definition)));
}

const isOfJson = ({ items, 'x-scalar': scalar }: Schema): boolean => (items ? isOfJson(items) : scalar === 'JSON');

function nameOf(definition: DefinitionNode): string | undefined {
  return 'name' in definition ? definition.name?.value : undefined;
}

/** Fields from the contract come first, where the chapters do not describe them. */
function withRootFields(contract: Contract, definitions: readonly DefinitionNode[]): DefinitionNode[] {
  const root = new Map(Object.entries(rootSdl(contract)).map(([type, sdl]) => [type, fieldsIn(sdl)]));
  return withFields(definitions, (type, fields) => {
    const own = new Set(fields.map(({ name }) => name.value));
    return [...(root.get(type) ?? []).filter(({ name }) => !own.has(name.value)), ...fields];
  });
}
