import { readFileSync } from 'node:fs';
import {
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
  visit,
} from 'graphql';
import { filesOf, readManifest } from '../graphql/trusted-documents/manifests.ts';

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

/**
 * The operations of GraphQL files and of manifests of persisted documents, in the order of the files. A manifest is
 * Apollo's, or an object from hash to text, as Relay and graphql-codegen write it. A fragment may be in another file.
 * Rejects with an error that names the file and what is wrong with it.
 */
export async function readOperations(patterns: readonly string[], schema: GraphQLSchema): Promise<Operation[]> {
  const files = [...new Set((await Promise.all(patterns.map(filesOf))).flat())];
  const sources = files.flatMap(sourcesOf);
  const everywhere = sources.flatMap(({ document }) => document.definitions).filter(isFragment);
  return sources.flatMap(({ file, document }) => {
    const fragments = new Map(
      [...everywhere, ...document.definitions.filter(isFragment)].map((f) => [f.name.value, f]),
    );
    return document.definitions.filter(isOperation).map((definition) => {
      const whole: DocumentNode = {
        kind: Kind.DOCUMENT,
        definitions: [definition, ...spreadIn(definition, fragments)],
      };
      const [error] = validate(schema, whole);
      if (error) throw new Error(`${file}: ${error.message}`);
      return { name: definition.name?.value ?? file, file, document: whole, definition };
    });
  });
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

function spreadIn(
  definition: DefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): FragmentDefinitionNode[] {
  const found = new Set<FragmentDefinitionNode>();
  const add = (node: DefinitionNode): void => {
    visit(node, {
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        if (!fragment || found.has(fragment)) return;
        found.add(fragment);
        add(fragment);
      },
    });
  };
  add(definition);
  return [...found];
}

function isFragment(node: DefinitionNode): node is FragmentDefinitionNode {
  return node.kind === Kind.FRAGMENT_DEFINITION;
}

function isOperation(node: DefinitionNode): node is OperationDefinitionNode {
  return node.kind === Kind.OPERATION_DEFINITION;
}
