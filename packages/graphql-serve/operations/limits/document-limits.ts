import { codedError, type ErrorCode } from '@gateway/base';
import {
  type ASTNode,
  type DocumentNode,
  type GraphQLError,
  getIntrospectionQuery,
  Kind,
  parse,
  type ValidationRule,
} from 'graphql';
import type { ServeSettings } from '../../settings.ts';
import { type Measured, measure } from './document-size.ts';

export type DocumentLimits = ServeSettings['limits']['documents'];

/**
 * Refuses a document before the other rules read it. The errors of a hostile document take long to find. A few nested
 * fragments can stand for millions of fields. The answer has the code of the refusal and HTTP 400.
 */
export function documentRule(limits: DocumentLimits, isIntrospectionEnabled: boolean): ValidationRule {
  return (context) => ({
    Document(document) {
      const refusal = refusalOf(document, limits, isIntrospectionEnabled);
      if (!refusal) return undefined;
      context.reportError(refusal);
      // The other rules see an empty document.
      return null;
    },
  });
}

/**
 * Line ends and comments are no tokens, but take as long to read. Each error counts the line ends again.
 * @throws QUERY_TOO_COMPLEX for more lines than tokens are allowed.
 */
export function requireFewLines(query: string, maxTokens: number, status = 400): void {
  const lineEnd = /\r\n|[\n\r]/g;
  for (let lines = 1; lineEnd.test(query); lines++) {
    if (lines < maxTokens) continue;
    const message = `The document has more than ${maxTokens} lines (limits.documents.tokens).`;
    throw codedError('QUERY_TOO_COMPLEX', message, { http: { status } });
  }
}

/** The largest query that tools send to read the schema. Other queries may be twice as deep, and ask for twice as much. */
const [standardIntrospection] = measure(
  parse(
    getIntrospectionQuery({
      descriptions: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      oneOf: true,
    }),
  ),
);

function refusalOf(
  document: DocumentNode,
  limits: DocumentLimits,
  isIntrospectionEnabled: boolean,
): GraphQLError | undefined {
  for (const measured of measure(document)) {
    const { introspection } = measured.size;
    if (introspection && !isIntrospectionEnabled) {
      return refusal('GRAPHQL_VALIDATION_FAILED', 'Introspection is switched off (INTROSPECTION).', introspection);
    }
    const problem = problemWith(measured, limits);
    if (problem) return refusal('QUERY_TOO_COMPLEX', problem, measured.definition);
  }
  return undefined;
}

function problemWith({ definition, size }: Measured, limits: DocumentLimits): string | undefined {
  const isOperation = definition.kind === Kind.OPERATION_DEFINITION;
  const subject = isOperation ? 'The operation' : `The fragment ${definition.name.value}`;
  const anywhere: Count[] = [
    [size.fieldsOfObject, limits.fieldsPerObject, 'fields of one object', 'fieldsPerObject'],
    [size.directivesOfNode, limits.directivesPerNode, 'directives at one place', 'directivesPerNode'],
  ];
  const inAll: Count[] = [
    [size.depth, limits.depth, 'levels of fields', 'depth'],
    [size.fields, limits.fields, 'fields', 'fields'],
    [size.topFields, limits.rootFields, 'fields at its root', 'rootFields'],
    [size.aliases, limits.aliases, 'aliases', 'aliases'],
    [size.directives, limits.directives, 'directives', 'directives'],
  ];
  for (const [actual, allowed, what, setting] of isOperation ? [...inAll, ...anywhere] : anywhere) {
    if (actual <= allowed) continue;
    return `${subject} has ${actual} ${what}; ${allowed} are allowed (limits.documents.${setting}).`;
  }
  const { schemaDepth = 0, schemaValues = 0 } = standardIntrospection?.size ?? {};
  if (size.schemaDepth <= 2 * schemaDepth && size.schemaValues <= 2 * schemaValues) return undefined;
  return `${subject} asks for more than twice as much of the schema as the standard introspection query.`;
}

type Count = [actual: number, allowed: number, what: string, setting: keyof DocumentLimits];

function refusal(code: ErrorCode, message: string, node: ASTNode): GraphQLError {
  return codedError(code, message, { http: { status: 400 }, nodes: [node] });
}
