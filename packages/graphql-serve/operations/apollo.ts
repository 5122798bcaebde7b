import type { IncomingHttpHeaders } from 'node:http';
import {
  ApolloServer,
  type ApolloServerPlugin,
  type BaseContext,
  HeaderMap,
  type HTTPGraphQLRequest,
} from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import { isObject, type Operation, ValidDocument, type Variables } from '@gateway/base';
import type { FormattedExecutionResult, GraphQLSchema } from 'graphql';
import { pino } from 'pino';
import { contentTypeFor, refusalStatus } from '../request/accept.ts';
import { csrfHeaders } from '../request/header-names.ts';
import { withFieldBelow } from './errors/field-below.ts';
import type { FormatError } from './errors/format.ts';
import { type DocumentLimits, documentRule, requireFewLines } from './limits/document-limits.ts';
import type { OperationCache } from './operation-cache.ts';
import type { GraphQLHttpRequest, GraphQLHttpResponse } from './operation-request.ts';

export interface ApolloOptions {
  schema: GraphQLSchema;
  limits: DocumentLimits;
  operations: OperationCache;
  introspectionEnabled: boolean;
  formatError: FormatError;
}

/** The gateway's part in a request that Apollo Server opens. */
export interface OpenSteps<T> {
  /** Takes the valid operation. Throws an error that is the answer. */
  admit(operation: Operation, variables: Variables | undefined): T;
  /** Errors and extensions that stand beside the errors of a refusal. */
  extras(errors: FormattedExecutionResult['errors']): FormattedExecutionResult;
  /** The cache may get the document. */
  isCacheable: boolean;
}

/** An operation that may run; else the answer. */
export type Opened<T> = { admitted: T } | { refusal: GraphQLHttpResponse };

export interface Apollo {
  open<T>(request: GraphQLHttpRequest, steps: OpenSteps<T>): Promise<Opened<T>>;
  stop(): Promise<void>;
}

/** One request on its way through Apollo Server, which copies its context shallowly. */
interface Opening {
  steps: OpenSteps<unknown>;
  /** Apollo Server has refused requests that another site may have sent. */
  isTrusted: boolean;
  admitted?: { value: unknown };
  /** The request has the text of a document. */
  isWellFormed?: boolean;
  /** That of the first error. */
  code?: unknown;
}

type Context = { opening: Opening };

/** Validation ends after this many errors: each error takes time, and room in the answer. */
const maxValidationErrors = 10;

/**
 * Starts Apollo Server, which opens operations that the cache lacks. It parses and validates them, and words refusals. The
 * pipeline runs what it has opened. It gets no `Accept`, which the gateway has parsed.
 */
export async function startApollo(options: ApolloOptions): Promise<Apollo> {
  const { schema, limits, introspectionEnabled, formatError, operations } = options;
  const server = new ApolloServer<Context>({
    schema,
    formatError(_formatted, error) {
      const shown = formatError(error);
      return introspectionEnabled ? { ...shown, message: withFieldBelow(shown.message, schema) } : shown;
    },
    // Apollo Server would log messages that quote values of clients. formatError logs each error without them.
    logger: pino({ level: 'silent' }),
    plugins: [
      openingPlugin(operations),
      // The default wraps every resolver to send a header that says no-store. A list would take a fifth longer.
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      // Routers ask a subgraph alone for traces. Their plugin loads a compiled format, and four megabytes.
      ...(schema.getType('_Service') ? [] : [ApolloServerPluginInlineTraceDisabled()]),
    ],
    parseOptions: { maxTokens: limits.tokens },
    validationRules: [documentRule(limits, introspectionEnabled)],
    validationOptions: { maxErrors: maxValidationErrors, hideSuggestions: !introspectionEnabled },
    // The plugin finds documents in the operation cache.
    documentStore: null,
    csrfPrevention: { requestHeaders: csrfHeaders },
    persistedQueries: false,
    // documentRule refuses introspection where it is switched off.
    introspection: true,
    includeStacktraceInErrorResponses: false,
    // main.ts stops the server, after the last answer is sent.
    stopOnTerminationSignals: false,
  });
  await server.start();
  return {
    async open<T>({ body, headers }: GraphQLHttpRequest, steps: OpenSteps<T>): Promise<Opened<T>> {
      if (isObject(body) && typeof body.query === 'string') {
        requireFewLines(body.query, limits.tokens, refusalStatus(400, headers.accept));
      }
      const { accept, ...others } = headers;
      // All methods have the body of a POST. The pipeline refuses the mutations of the others.
      const post = { method: 'POST', search: '', headers: headerMapOf(others), body };
      const opening: Opening = { steps, isTrusted: false };
      const response = await executeHttp(server, post, async () => {
        opening.isTrusted = true;
        return { opening };
      });
      if (opening.admitted) return { admitted: opening.admitted.value as T };
      const status = opening.isTrusted ? refusalStatus(response.status, accept, opening) : response.status;
      return {
        refusal: { ...response, status, headers: [...response.headers, ['content-type', contentTypeFor(accept)]] },
      };
    },
    stop: () => server.stop(),
  };
}

/** Ends the way of an operation through Apollo Server where it would run. */
function openingPlugin(operations: OperationCache): ApolloServerPlugin<Context> {
  return {
    async requestDidStart({ contextValue: { opening } }) {
      const { steps } = opening;
      let document: ValidDocument | undefined;
      return {
        async didResolveSource(request) {
          document = operations.document(request.source);
          // Apollo Server neither parses nor validates where it finds a document.
          if (document) Object.assign(request, { document: document.node });
        },
        async didResolveOperation({ schema, document: node, operation, source, request }) {
          if (!operation) return;
          if (!document) {
            document = new ValidDocument(schema, node);
            if (steps.isCacheable) operations.add(source, document);
          }
          opening.admitted = { value: steps.admit(document.operation(operation), request.variables) };
        },
        async responseForOperation() {
          // Apollo Server refuses a document that has no such operation.
          if (!opening.admitted) return null;
          const http = { status: undefined, headers: new HeaderMap() };
          return { http, body: { kind: 'single', singleResult: { data: null } } };
        },
        async willSendResponse({ response: { body }, source }) {
          if (opening.admitted || body.kind !== 'single') return;
          const { singleResult } = body;
          Object.assign(singleResult, steps.extras(singleResult.errors));
          opening.isWellFormed = source !== undefined;
          opening.code = singleResult.errors?.[0]?.extensions?.code;
        },
      };
    },
    // Apollo Server would answer an "Internal server error" that the log does not know.
    async unexpectedErrorProcessingRequest({ error }) {
      throw error;
    },
  };
}

/** The answer of Apollo Server itself; also runs the servers of Apollo's suite (test/apollo-suite). */
export async function executeHttp<C extends BaseContext>(
  server: ApolloServer<C>,
  httpGraphQLRequest: HTTPGraphQLRequest,
  context: () => Promise<C>,
): Promise<GraphQLHttpResponse> {
  const { status = 200, headers, body } = await server.executeHTTPGraphQLRequest({ httpGraphQLRequest, context });
  // graphql 16 has no incremental delivery, so every answer is one text.
  if (body.kind !== 'complete') throw new Error('The answer comes in parts.');
  return { status, headers, body: body.string };
}

export function headerMapOf(headers: IncomingHttpHeaders): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) map.set(name, String(value));
  return map;
}
