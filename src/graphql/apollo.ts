import type { IncomingHttpHeaders } from 'node:http';
import {
  ApolloServer,
  type ApolloServerPlugin,
  type BaseContext,
  type DocumentStore,
  HeaderMap,
  type HTTPGraphQLRequest,
} from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { DocumentNode, FormattedExecutionResult, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { Logger } from 'pino';
import { isObject } from '../lib/json.ts';
import type { RequestContext } from './context.ts';
import { documentCache } from './document-cache.ts';
import { codedError } from './errors/codes.ts';
import type { FormatError } from './errors/format.ts';
import { refusalStatus } from './errors/status.ts';
import { type ExecutionArgs, Operation } from './executor/operation.ts';
import { csrfHeaders } from './header-names.ts';
import type { GraphQLHttpRequest, GraphQLHttpResponse } from './http-request.ts';
import { type DocumentLimits, documentRule, requireFewLines } from './limits/document-limits.ts';
import type { Variables } from './variables.ts';

export interface ApolloOptions {
  schema: GraphQLSchema;
  limits: DocumentLimits;
  /** Characters of the documents that are cached. */
  maxCharacters: number;
  introspectionEnabled: boolean;
  logger: Logger;
  formatError: FormatError;
  steps: OperationSteps;
}

/** The steps of an operation that Apollo Server has found valid. */
export interface OperationSteps {
  /** Throws an error that is the answer. */
  admit(operation: Operation, variables: Variables | undefined, context: RequestContext): ExecutionArgs;
  run(args: ExecutionArgs): Promise<FormattedExecutionResult>;
  /** Errors and extensions that stand beside the data. */
  extras(context: RequestContext, errors?: FormattedExecutionResult['errors']): FormattedExecutionResult;
}

export interface Apollo {
  /** `operation` is undefined if the request was refused. */
  execute(
    request: GraphQLHttpRequest,
    context: RequestContext,
  ): Promise<{ response: GraphQLHttpResponse; operation: Operation | undefined }>;
  stop(): Promise<void>;
}

/** Validation ends after this many errors: each error takes time, and room in the answer. */
const maxValidationErrors = 10;

/** Starts Apollo Server, which parses, validates and answers operations that the cache lacks. */
export async function startApollo(options: ApolloOptions): Promise<Apollo> {
  const { limits, introspectionEnabled, logger, formatError, steps } = options;
  const ran = new WeakMap<HTTPGraphQLRequest, Operation>();
  const server = new ApolloServer<RequestContext>({
    schema: options.schema,
    formatError,
    // Apollo Server would log messages that quote values of clients. formatError logs each error without them.
    logger: logger.child({}, { level: 'silent' }),
    plugins: [
      operationPlugin(steps, ran),
      // The default wraps every resolver to send a header that says no-store. A list would take a fifth longer.
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
    parseOptions: { maxTokens: limits.tokens },
    validationRules: [documentRule(limits, introspectionEnabled)],
    validationOptions: { maxErrors: maxValidationErrors, hideSuggestions: !introspectionEnabled },
    documentStore: documentStore(options.maxCharacters),
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
    async execute(request, context) {
      const { body } = request;
      if (isObject(body) && typeof body.query === 'string') requireFewLines(body.query, limits.tokens);
      const httpGraphQLRequest = { ...request, headers: headerMapOf(request.headers) };
      const response = await executeHttp(server, httpGraphQLRequest, async () => context);
      return { response, operation: ran.get(httpGraphQLRequest) };
    },
    stop: () => server.stop(),
  };
}

/** Takes the steps of the pipeline in Apollo's hooks. Notes the operation of each request that ran. */
function operationPlugin(
  steps: OperationSteps,
  ran: WeakMap<HTTPGraphQLRequest, Operation>,
): ApolloServerPlugin<RequestContext> {
  // The document store keeps and drops the documents that these are part of.
  const operations = new WeakMap<OperationDefinitionNode, Operation>();
  const operationOf = (schema: GraphQLSchema, document: DocumentNode, definition: OperationDefinitionNode) => {
    const operation = operations.get(definition) ?? new Operation(schema, document, definition);
    operations.set(definition, operation);
    return operation;
  };
  return {
    async requestDidStart() {
      let args: ExecutionArgs | undefined;
      return {
        async didResolveOperation({ schema, document, operation: definition, request, contextValue }) {
          if (!definition) return;
          if (definition.operation === 'subscription') {
            throw codedError('BAD_REQUEST', 'Subscriptions are not supported.', { http: { status: 400 } });
          }
          args = steps.admit(operationOf(schema, document, definition), request.variables, contextValue);
          if (definition.operation === 'mutation') await contextValue.once?.admit();
        },
        async responseForOperation({ request }) {
          // Apollo Server refuses a document that has no such operation.
          if (!args) return null;
          const singleResult = await steps.run(args);
          if (request.http) ran.set(request.http, args.operation);
          return { http: { status: undefined, headers: new HeaderMap() }, body: { kind: 'single', singleResult } };
        },
        async willSendResponse({ request, response: { body, http }, source, contextValue }) {
          if (body.kind !== 'single') return;
          Object.assign(body.singleResult, steps.extras(contextValue, body.singleResult.errors));
          if (body.singleResult.data === undefined && http.status !== undefined) {
            http.status = refusalStatus(http.status, request.http?.headers.get('accept'), source !== undefined);
          }
        },
      };
    },
    // Apollo Server would answer an "Internal server error" that the log does not know.
    async unexpectedErrorProcessingRequest({ error }) {
      throw error;
    },
  };
}

function documentStore(maxCharacters: number): DocumentStore {
  const documents = documentCache<DocumentNode>(maxCharacters, ({ loc }) => loc?.source.body.length || 1);
  return {
    get: async (key) => documents.get(key),
    set: async (key, document) => {
      documents.set(key, document);
    },
    delete: async (key) => documents.delete(key),
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
