import { globSync, readFileSync, statSync } from 'node:fs';
import { readManifest } from '@gateway/trusted-documents';
import {
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  separateOperations,
  validate,
} from 'graphql';

/** One operation with the fragments that it spreads. */
export interface Operation {
  /** The file's name where the operation has none. */
  name: string;
  file: string;
  document: DocumentNode;
  definition: OperationDefinitionNode;
}

interface Source {
  file: string;
  document: DocumentNode;
}

/** Whether a source is a folder, or a file of documents by its name. */
export function namesDocuments(source: string): boolean {
  return /\.(graphql|gql|json)$/.test(source) || isFolder(source);
}

/**
 * The operations of GraphQL files and of manifests of persisted documents, in the order of the files. A manifest is
 * Apollo's, or an object from hash to text, as Relay and graphql-codegen write it. A fragment may be in another file.
 * A folder stands for all such files in it.
 * @throws Error that names the file and what is wrong with it.
 */
export function readOperations(patterns: readonly string[], schema: GraphQLSchema): Operation[] {
  const files = [...new Set(patterns.flatMap(filesOf))];
  const sources = files.flatMap(sourcesOf);
  const everywhere = sources.flatMap(({ document }) => document.definitions).filter(isFragment);
  return sources.flatMap(({ file, document }) => {
    const fragments = new Map(
      [...everywhere, ...document.definitions.filter(isFragment)].map((f) => [f.name.value, f]),
    );
    return document.definitions.filter(isOperation).map((definition) => {
      const all: DocumentNode = { kind: Kind.DOCUMENT, definitions: [definition, ...fragments.values()] };
      const [whole = all] = Object.values(separateOperations(all));
      const [error] = validate(schema, whole);
      if (error) throw new Error(`${file}: ${error.message}`);
      return { name: definition.name?.value ?? file, file, document: whole, definition };
    });
  });
}

function filesOf(pattern: string): string[] {
  const paths = globSync(pattern);
  if (paths.length === 0) throw new Error(`There is no file or folder ${pattern}.`);
  return paths.flatMap((path) => (isFolder(path) ? filesIn(path) : [path])).toSorted();
}

function filesIn(folder: string): string[] {
  const files = globSync(`${folder}/**/*.{graphql,gql,json}`);
  if (files.length === 0) throw new Error(`${folder}: The folder has no .graphql, .gql or .json file.`);
  return files;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function sourcesOf(file: string): Source[] {
  const text = readFileSync(file, 'utf8');
  try {
    const texts = file.endsWith('.json') ? readManifest(text).map((each) => each.text) : [text];
    return texts.map((each) => ({ file, document: parse(each) }));
  } catch (error) {
    const at = error instanceof GraphQLError && error.locations?.[0] ? `:${error.locations[0].line}` : '';
    throw new Error(`${file}${at}: ${(error as Error).message}`);
  }
}

function isFragment(node: DefinitionNode): node is FragmentDefinitionNode {
  return node.kind === Kind.FRAGMENT_DEFINITION;
}

function isOperation(node: DefinitionNode): node is OperationDefinitionNode {
  return node.kind === Kind.OPERATION_DEFINITION;
}
