import { ApolloServer, type DocumentStore, type GraphQLRequestListener, HeaderMap } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import { type DocumentNode, type GraphQLSchema, getVariableValues, type OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { estimateCalls, requireBudget } from './budget.ts';
import type { Context } from './context.ts';
import { checkDocument, type DocumentLimits } from './document-limits.ts';
import { errorFormatter } from './error-format.ts';
import { codedError } from './errors.ts';
import { execute } from './execution/execute.ts';
import { prepared } from './execution/prepared.ts';
import type { ReadyOperation } from './root-calls.ts';
import { createSchema } from './schema.ts';
import { checkVariables } from './variables.ts';

export interface ApolloOptions extends DocumentLimits {
  maxTokens: number;
  logger: Logger;
}

/** A request with one of these headers cannot come from another site's form without the browser asking first. */
export const csrfHeaders = ['apollo-require-preflight', 'x-apollo-operation-name'];

export interface GraphQLHttpRequest {
  method: string;
  headers: Iterable<[string, string]>;
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

/** Documents that are kept parsed, validated and compiled; by their number and the length of their text. */
const maxDocuments = {
  max: 2_000,
  maxSize: 4 * 1024 * 1024,
  sizeCalculation: ({ loc }: DocumentNode) => loc?.source.body.length || 1,
};

export interface Apollo {
  execute(request: GraphQLHttpRequest, context: Context): Promise<GraphQLHttpAnswer>;
  stop(): Promise<void>;
}

export async function startApollo({ maxTokens, logger, ...limits }: ApolloOptions): Promise<Apollo> {
  const formatError = errorFormatter(logger);
  const documents = new LRUCache<string, DocumentNode>(maxDocuments);
  const documentStore: DocumentStore = {
    get: async (key) => documents.get(key),
    set: async (key, document) => {
      documents.set(key, document);
    },
    delete: async (key) => documents.delete(key),
  };
  const measured = new WeakSet<DocumentNode>();
  const hooks: GraphQLRequestListener<Context> = {
    async didResolveOperation({ schema, document, operation, request, contextValue }) {
      if (operation?.operation === 'subscription') {
        throw codedError('BAD_REQUEST', 'Subscriptions are not supported.', { http: { status: 400 } });
      }
      if (!measured.has(document)) checkDocument(document, limits);
      measured.add(document);
      if (!operation) return;
      checkVariables(schema, document, operation, request.variables ?? {});
      const ready = readyOperation(schema, document, operation, request.variables);
      const { maxPageSize, maxUpstreamCalls } = contextValue.service;
      const estimate = estimateCalls({ ...ready, maxPageSize }, contextValue);
      if (!estimate) return;
      if (contextValue.trace) contextValue.trace.estimate = estimate;
      requireBudget(estimate, maxUpstreamCalls);
      // What one write reads back must leave room for those after it.
      if (operation.operation === 'mutation') contextValue.expectWrites(estimate.least);
    },
    async responseForOperation({ schema, document, operation, request, contextValue }) {
      // Apollo says no by itself where the document has no such operation.
      if (!operation) return null;
      const { fragments, variableValues } = readyOperation(schema, document, operation, request.variables);
      const compiled = prepared(document).compiled(schema, operation, variableValues);
      // What asks for the schema itself is left to graphql-js.
      if (!compiled) return null;
      const parts = { schema, fragments, operation, variableValues, context: contextValue };
      const { data = null, errors } = await execute(compiled, parts);
      const formatted = errors?.map((error) => formatError(error.toJSON(), error));
      const singleResult = { data, ...(formatted && { errors: formatted }) };
      return { http: { status: undefined, headers: new HeaderMap() }, body: { kind: 'single', singleResult } };
    },
    async willSendResponse({ response: { body }, contextValue: { besides, trace } }) {
      if (body.kind !== 'single') return;
      if (trace) body.singleResult.extensions = { upstream: trace.report() };
      if (besides.length === 0) return;
      const { errors = [] } = body.singleResult;
      body.singleResult.errors = [...errors, ...besides.map((error) => formatError(error.toJSON(), error))];
    },
  };
  const server = new ApolloServer<Context>({
    schema: createSchema(),
    formatError,
    logger,
    plugins: [
      { requestDidStart: async () => hooks },
      // Its default wraps every resolver, which costs a list a fifth of its time, to send a header that says no-store.
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
    parseOptions: { maxTokens },
    documentStore,
    csrfPrevention: { requestHeaders: csrfHeaders },
    persistedQueries: false,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    // The server is told to stop by main.ts, after the last answer is sent.
    stopOnTerminationSignals: false,
  });
  await server.start();
  return {
    async execute({ method, headers, search, body }, context) {
      const answer = await server.executeHTTPGraphQLRequest({
        httpGraphQLRequest: { method, headers: new HeaderMap(headers), search, body },
        context: async () => context,
      });
      // Incremental delivery is not in this version of GraphQL, so every answer is one text.
      if (answer.body.kind !== 'complete') throw new Error('The answer comes in parts.');
      return { status: answer.status ?? 200, headers: answer.headers, body: answer.body.string };
    },
    stop: () => server.stop(),
  };
}

function readyOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown> = {},
): Omit<ReadyOperation, 'maxPageSize'> {
  const { variableDefinitions = [] } = operation;
  const { coerced = {} } =
    variableDefinitions.length === 0 ? {} : getVariableValues(schema, variableDefinitions, variables);
  return { schema, operation, fragments: prepared(document).fragments, variableValues: coerced };
}
