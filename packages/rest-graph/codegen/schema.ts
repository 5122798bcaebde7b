import { readdirSync, readFileSync } from 'node:fs';
import { pushSdl, pushTypesFile } from '@gateway/push';
import { type DefinitionNode, type DocumentNode, Kind, parse, Source } from 'graphql';
import type { Contract } from './contract.ts';
import { withInheritance } from './inheritance.ts';
import { withOpenEnums } from './open-enums.ts';
import { connectionsSdl, rootSdl } from './sdl.ts';
import { withSemanticNonNull } from './semantic-non-null.ts';
import { rowsSdl, withWaysBack } from './ways-back.ts';

const ownFolder = new URL('../../../schema/', import.meta.url);
const standardFile = new URL('standard.graphql', import.meta.url);
const rootFile = 'root.graphql';

/**
 * The chapters of a folder, with the root fields, connections and pushed writes that the contract adds. Standard definitions
 * stand in for those that the chapters lack.
 */
export function wholeDocument(contract: Contract, folder = ownFolder): DocumentNode {
  const chapters = chaptersIn(folder);
  const written = [...chapters, ...standardBeside(chapters, contract)];
  const root = parse(rootSdl(contract)).definitions;
  const definitions = written.map((definition) => withFieldsOf(root, definition));
  const types = withWaysBack(contract, withOpenEnums(contract, withInheritance(contract, definitions)));
  const texts = [connectionsSdl(contract), rowsSdl(contract), ...(takesPush(chapters) ? [pushSdl(contract)] : [])];
  const added = texts.filter(Boolean).flatMap((text) => parse(text).definitions);
  return { kind: Kind.DOCUMENT, definitions: withSemanticNonNull(contract, [...types, ...added]) };
}

/** The definitions of all files, that of the root first. The types of `push` come with its field. */
function chaptersIn(folder: URL): DefinitionNode[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.graphql'));
  const chapters = new Map(files.map((file) => [file, definitionsIn(new URL(file, folder))]));
  if (takesPush([...chapters.values()].flat())) chapters.set('push.graphql', definitionsIn(pushTypesFile));
  const root = chapters.get(rootFile) ?? [];
  chapters.delete(rootFile);
  return [...root, ...[...chapters.keys()].sort().flatMap((file) => chapters.get(file) ?? [])];
}

function definitionsIn(file: URL): readonly DefinitionNode[] {
  const name = file.pathname.split('/').slice(-2).join('/');
  return parse(new Source(readFileSync(file, 'utf8'), name)).definitions;
}

function takesPush(definitions: readonly DefinitionNode[]): boolean {
  return definitions.some(
    (definition) =>
      definition.kind === Kind.OBJECT_TYPE_DEFINITION &&
      definition.name.value === 'Mutation' &&
      definition.fields?.some(({ name }) => name.value === 'push'),
  );
}

/** Definitions that each schema needs, where the chapters have none of that name. A service without writes has no Mutation. */
function standardBeside(chapters: readonly DefinitionNode[], { endpoints }: Contract): DefinitionNode[] {
  const given = new Set(chapters.map(nameOf));
  if (endpoints.every(({ does }) => does !== 'write')) given.add('Mutation');
  const { definitions } = parse(readFileSync(standardFile, 'utf8'));
  return definitions.filter((definition) => !given.has(nameOf(definition)));
}

function nameOf(definition: DefinitionNode): string | undefined {
  return 'name' in definition ? definition.name?.value : undefined;
}

/** Fields from the contract come first, where the definition does not describe them itself. */
function withFieldsOf(root: readonly DefinitionNode[], definition: DefinitionNode): DefinitionNode {
  if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return definition;
  const added = root.flatMap((other) =>
    other.kind === definition.kind && other.name.value === definition.name.value ? (other.fields ?? []) : [],
  );
  const own = definition.fields ?? [];
  const isOwn = (name: string) => own.some((field) => field.name.value === name);
  return { ...definition, fields: [...added.filter(({ name }) => !isOwn(name.value)), ...own] };
}
