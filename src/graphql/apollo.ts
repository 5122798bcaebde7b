import type { IncomingHttpHeaders } from 'node:http';
import {
  ApolloServer,
  type BaseContext,
  type DocumentStore,
  type GraphQLRequestListener,
  HeaderMap,
  type HTTPGraphQLRequest,
} from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { isObject } from '../lib/json.ts';
import type { Context } from './context.ts';
import { codedError } from './errors/codes.ts';
import { errorFormatter } from './errors/format.ts';
import { refusalStatus } from './errors/status.ts';
import { type DocumentLimits, documentRule, requireFewLines } from './limits/document-limits.ts';
import { admit, responseExtensions, run, type ValidOperation } from './operation.ts';
import { maxDocuments, maxDocumentsLength, OperationCache, operationRequest } from './operation-cache.ts';
import { createSchema } from './schema.ts';

export interface ApolloOptions extends DocumentLimits {
  maxTokens: number;
  logger: Logger;
}

/** What is wrong with a document beyond these is not looked for: each error takes its time, and its place in the answer. */
const maxValidationErrors = 10;

/** A request with one of these headers cannot come from another site's form without the browser asking first. */
export const csrfHeaders = ['apollo-require-preflight', 'x-apollo-operation-name'];

export interface GraphQLHttpRequest {
  method: string;
  /** By name in lower case. */
  headers: IncomingHttpHeaders;
  /** With its question mark, or empty. */
  search: string;
  /** The parsed body; undefined for GET. */
  body: unknown;
}

export interface GraphQLHttpAnswer {
  status: number;
  headers: Iterable<[string, string]>;
  body: string;
}

export interface Apollo {
  execute(request: GraphQLHttpRequest, context: Context): Promise<GraphQLHttpAnswer>;
  stop(): Promise<void>;
}

export async function startApollo({ maxTokens, logger, ...limits }: ApolloOptions): Promise<Apollo> {
  const formatError = errorFormatter(logger);
  const documents = new LRUCache<string, DocumentNode>({
    max: maxDocuments,
    maxSize: maxDocumentsLength,
    sizeCalculation: ({ loc }) => loc?.source.body.length || 1,
  });
  const documentStore: DocumentStore = {
    get: async (key) => documents.get(key),
    set: async (key, document) => {
      documents.set(key, document);
    },
    delete: async (key) => documents.delete(key),
  };
  const known = new OperationCache();
  /** What has run for a request of Apollo Server. */
  const ran = new WeakMap<HTTPGraphQLRequest, ValidOperation>();
  const hooks: GraphQLRequestListener<Context> = {
    async didResolveOperation({ schema, document, operation, request, contextValue }) {
      if (operation?.operation === 'subscription') {
        throw codedError('BAD_REQUEST', 'Subscriptions are not supported.', { http: { status: 400 } });
      }
      if (operation) admit({ schema, document, operation }, request.variables, contextValue);
      if (operation?.operation === 'mutation') await contextValue.once?.admit();
    },
    async responseForOperation({ schema, document, operation, request, contextValue }) {
      // Apollo says no by itself where the document has no such operation.
      if (!operation) return null;
      const valid = { schema, document, operation };
      const singleResult = await run(valid, request.variables, contextValue, formatError);
      if (!singleResult) return null;
      if (request.http) ran.set(request.http, valid);
      return { http: { status: undefined, headers: new HeaderMap() }, body: { kind: 'single', singleResult } };
    },
    async willSendResponse({ request, response: { body, http }, source, contextValue }) {
      if (body.kind !== 'single') return;
      Object.assign(body.singleResult, responseExtensions(contextValue, formatError, body.singleResult.errors));
      if (body.singleResult.data === undefined && http.status !== undefined) {
        http.status = refusalStatus(http.status, request.http?.headers.get('accept'), source !== undefined);
      }
    },
  };
  const server = new ApolloServer<Context>({
    schema: createSchema(),
    formatError,
    // It would write messages of errors down as they are; formatError logs each.
    logger: logger.child({}, { level: 'silent' }),
    plugins: [
      {
        requestDidStart: async () => hooks,
        // Otherwise it comes as an "Internal server error" that nobody can trace.
        async unexpectedErrorProcessingRequest({ error }) {
          throw error;
        },
      },
      // Its default wraps every resolver, which costs a list a fifth of its time, to send a header that says no-store.
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
    parseOptions: { maxTokens },
    validationRules: [documentRule(limits)],
    validationOptions: { maxErrors: maxValidationErrors, hideSuggestions: !limits.introspection },
    documentStore,
    csrfPrevention: { requestHeaders: csrfHeaders },
    persistedQueries: false,
    // Where it is switched off, our own rule refuses it.
    introspection: true,
    includeStacktraceInErrorResponses: false,
    // The server is told to stop by main.ts, after the last answer is sent.
    stopOnTerminationSignals: false,
  });
  await server.start();
  return {
    async execute(request, context) {
      // What may have been done before is looked up among Apollo's hooks.
      const isUsual = request.method === 'POST' && !context.once;
      const asked = isUsual ? operationRequest(request.body, request.headers.accept) : undefined;
      const before = asked && known.get(asked.key);
      if (before && isAdmitted(before, asked.variables, context)) {
        const result = await run(before, asked.variables, context, formatError);
        if (result) {
          const { errors, data, extensions } = {
            ...result,
            ...responseExtensions(context, formatError, result.errors),
          };
          return { status: 200, headers: before.headers, body: `${JSON.stringify({ errors, data, extensions })}\n` };
        }
      }
      const { body } = request;
      if (isObject(body) && typeof body.query === 'string') requireFewLines(body.query, maxTokens);
      const httpGraphQLRequest = { ...request, headers: headerMapOf(request.headers) };
      const answer = await executeHttp(server, httpGraphQLRequest, async () => context);
      const valid = ran.get(httpGraphQLRequest);
      if (asked && valid) known.add(asked.key, { ...valid, headers: [...answer.headers] });
      return answer;
    },
    stop: () => server.stop(),
  };
}

/** What Apollo Server itself makes of a request. */
export async function executeHttp<C extends BaseContext>(
  server: ApolloServer<C>,
  httpGraphQLRequest: HTTPGraphQLRequest,
  context: () => Promise<C>,
): Promise<GraphQLHttpAnswer> {
  const { status = 200, headers, body } = await server.executeHTTPGraphQLRequest({ httpGraphQLRequest, context });
  // Incremental delivery is not in this version of GraphQL, so every answer is one text.
  if (body.kind !== 'complete') throw new Error('The answer comes in parts.');
  return { status, headers, body: body.string };
}

/** What is not, Apollo Server refuses with all that belongs to it. */
function isAdmitted(...operation: Parameters<typeof admit>): boolean {
  try {
    admit(...operation);
    return true;
  } catch {
    return false;
  }
}

export function headerMapOf(headers: IncomingHttpHeaders): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) map.set(name, String(value));
  return map;
}
