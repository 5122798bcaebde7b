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
import type { FormattedExecutionResult, GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import { isObject } from '../lib/json.ts';
import type { RequestContext } from './context.ts';
import type { FormatError } from './errors/format.ts';
import { refusalStatus } from './errors/status.ts';
import { type ExecutionArgs, type Operation, ValidDocument } from './executor/operation.ts';
import { csrfHeaders } from './header-names.ts';
import type { GraphQLHttpRequest, GraphQLHttpResponse } from './http-request.ts';
import { type DocumentLimits, documentRule, requireFewLines } from './limits/document-limits.ts';
import { plainAccept } from './media-types.ts';
import type { OperationCache } from './operation-cache.ts';
import type { Variables } from './variables.ts';

export interface ApolloOptions {
  schema: GraphQLSchema;
  limits: DocumentLimits;
  operations: OperationCache;
  introspectionEnabled: boolean;
  logger: Logger;
  formatError: FormatError;
  steps: OperationSteps;
}

/** The steps of an operation that Apollo Server has found valid. */
export interface OperationSteps {
  /** Throws an error that is the answer. */
  admit(operation: Operation, variables: Variables | undefined, context: RequestContext): ExecutionArgs;
  run(args: ExecutionArgs, context: RequestContext): Promise<FormattedExecutionResult>;
  /** Errors and extensions that stand beside the data. */
  extras(context: RequestContext, errors?: FormattedExecutionResult['errors']): FormattedExecutionResult;
  /** The body of a long answer. Apollo Server would make it without a pause. */
  longBody(answer: FormattedExecutionResult, context: RequestContext): Promise<Buffer> | undefined;
}

export interface Apollo {
  execute(request: GraphQLHttpRequest, context: RequestContext): Promise<GraphQLHttpResponse>;
  stop(): Promise<void>;
}

/** Validation ends after this many errors: each error takes time, and room in the answer. */
const maxValidationErrors = 10;

/** Starts Apollo Server, which parses, validates and answers operations that the cache lacks. */
export async function startApollo(options: ApolloOptions): Promise<Apollo> {
  const { limits, introspectionEnabled, logger, formatError } = options;
  const begun: BegunRequests = new WeakMap();
  const server = new ApolloServer<RequestContext>({
    schema: options.schema,
    formatError,
    // Apollo Server would log messages that quote values of clients. formatError logs each error without them.
    logger: logger.child({}, { level: 'silent' }),
    plugins: [
      operationPlugin(options, begun),
      // The default wraps every resolver to send a header that says no-store. A list would take a fifth longer.
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      // Routers ask a subgraph alone for traces. Their plugin loads a compiled format, and four megabytes.
      ...(options.schema.getType('_Service') ? [] : [ApolloServerPluginInlineTraceDisabled()]),
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
    async execute(request, context) {
      const { body, headers } = request;
      const status = refusalStatus(400, headers.accept);
      if (isObject(body) && typeof body.query === 'string') requireFewLines(body.query, limits.tokens, status);
      const accept = plainAccept(headers.accept);
      const httpGraphQLRequest = { ...request, headers: headerMapOf({ ...headers, ...(accept && { accept }) }) };
      let isTrusted = false;
      const response = await executeHttp(server, httpGraphQLRequest, async () => {
        // Apollo Server has refused requests that another site may have sent.
        isTrusted = true;
        return context;
      });
      const operation = begun.get(httpGraphQLRequest);
      if (operation) return { ...response, body: operation.longBody ?? response.body };
      // The body or the parameters have another form.
      return isTrusted && response.status === 400 ? { ...response, status } : response;
    },
    stop: () => server.stop(),
  };
}

/** The requests whose operations begin. */
type BegunRequests = WeakMap<HTTPGraphQLRequest, { longBody?: Buffer }>;

/** Takes the steps of the pipeline in Apollo's hooks. */
function operationPlugin(
  { operations, steps }: Pick<ApolloOptions, 'operations' | 'steps'>,
  begun: BegunRequests,
): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart({ request: { http } }) {
      if (http) begun.set(http, {});
      let document: ValidDocument | undefined;
      let args: ExecutionArgs | undefined;
      return {
        async didResolveSource(request) {
          document = operations.document(request.source);
          // Apollo Server neither parses nor validates where it finds a document.
          if (document) Object.assign(request, { document: document.node });
        },
        async didResolveOperation({ schema, document: node, operation: definition, source, request, contextValue }) {
          if (!definition) return;
          // The store of idempotency keys has refused the first write.
          if (contextValue.once?.refusal) throw contextValue.once.refusal;
          if (!document) {
            document = new ValidDocument(schema, node);
            if (contextValue.caller.headers.authorization) operations.add(source, document);
          }
          args = steps.admit(document.operation(definition), request.variables, contextValue);
        },
        async responseForOperation({ contextValue }) {
          // Apollo Server refuses a document that has no such operation.
          if (!args) return null;
          const singleResult = await steps.run(args, contextValue);
          return { http: { status: undefined, headers: new HeaderMap() }, body: { kind: 'single', singleResult } };
        },
        async willSendResponse({ request, response: { body, http }, source, contextValue }) {
          if (body.kind !== 'single') return;
          Object.assign(body.singleResult, steps.extras(contextValue, body.singleResult.errors));
          const longBody = await steps.longBody(body.singleResult, contextValue);
          if (longBody && request.http) {
            begun.set(request.http, { longBody });
            body.singleResult = { data: null };
          }
          if (body.singleResult.data === undefined && http.status !== undefined) {
            const code = body.singleResult.errors?.[0]?.extensions?.code;
            const refusal = { isWellFormed: source !== undefined, code };
            http.status = refusalStatus(http.status, request.http?.headers.get('accept'), refusal);
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
