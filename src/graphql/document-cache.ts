import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { type CompiledOperation, compile, type Source } from './executor/compile.ts';

/** What is made of a document once, for all requests that send it. */
export interface CachedDocument {
  /** It may ask for `serverTime`: what it reads besides must not be older. */
  asksForTime: boolean;
  fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  /** The operation as it is with these variables; undefined where it is left to graphql-js: it asks for the schema itself. */
  compiled(
    schema: GraphQLSchema,
    operation: OperationDefinitionNode,
    variableValues: Readonly<Record<string, unknown>>,
  ): CompiledOperation | undefined;
}

/** Of one document: @skip and @include with n variables make up to 2^n operations of one. */
const maxVariants = 64;

// Documents are kept, and forgotten, by Apollo's document store.
const documents = new WeakMap<DocumentNode, CachedDocument>();

export function cachedDocument(document: DocumentNode): CachedDocument {
  let known = documents.get(document);
  if (!known) {
    known = prepare(document);
    documents.set(document, known);
  }
  return known;
}

function prepare(document: DocumentNode): CachedDocument {
  const definitions = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  const fragments = Object.fromEntries(definitions.map((fragment) => [fragment.name.value, fragment]));
  const conditions = conditionsOf(document);
  const variants = new Map<string, CompiledOperation | undefined>();
  return {
    fragments,
    asksForTime: document.loc?.source.body.includes('serverTime') ?? false,
    compiled(schema, operation, variableValues) {
      const name = JSON.stringify([operation.name?.value, ...conditions.map((variable) => variableValues[variable])]);
      if (variants.has(name)) return variants.get(name);
      // Only what decides the selection is kept of a caller's variables.
      const deciding = Object.fromEntries(conditions.map((variable) => [variable, variableValues[variable]]));
      const compiled = compileOrLeave({ schema, fragments, operation, variableValues: deciding });
      if (variants.size < maxVariants) variants.set(name, compiled);
      return compiled;
    },
  };
}

/** A condition that is null makes an error of its field; at the root graphql-js makes it. */
function compileOrLeave(source: Source): CompiledOperation | undefined {
  try {
    return compile(source);
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}

/** The variables that decide what is selected. */
function conditionsOf(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive(directive) {
      for (const { value } of directive.arguments ?? []) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}
