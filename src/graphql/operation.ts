import {
  type DocumentNode,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql';
import { currentRequest } from '../observability/current-request.ts';
import type { Context } from './context.ts';
import { cachedDocument } from './document-cache.ts';
import type { FormatError } from './errors/format.ts';
import { execute } from './executor/execute.ts';
import { requireCost } from './limits/cost.ts';
import { estimateOf, requireBudget } from './limits/estimate.ts';
import type { ReadyOperation } from './root-calls.ts';
import { checkVariables } from './variables.ts';

/** One of the operations of a document that is valid. */
export interface ValidOperation {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
}

export type Variables = Readonly<Record<string, unknown>>;

/** The operation with its variables, coerced. Those that do not fit their types are left out. */
export function withVariables({ schema, document, operation }: ValidOperation, variables: Variables = {}) {
  const { variableDefinitions = [] } = operation;
  const { coerced = {} } =
    variableDefinitions.length === 0 ? {} : getVariableValues(schema, variableDefinitions, variables);
  return { schema, document, operation, fragments: cachedDocument(document).fragments, variableValues: coerced };
}

/**
 * What is checked of an operation before anything is asked of the service.
 * @throws BAD_USER_INPUT for variables that do not fit, QUERY_TOO_COMPLEX for what asks for too much,
 * UPSTREAM_BUDGET_EXCEEDED for what cannot fit.
 */
export function admit(valid: ValidOperation, variables: Variables = {}, context: Context): void {
  const { maxPageSize, maxUpstreamCalls, maxCost, introspectionEnabled: tellsSchema } = context.service;
  if (cachedDocument(valid.document).asksForTime) context.readFresh();
  checkVariables(valid, variables, { hideSuggestions: !tellsSchema });
  const ready: ReadyOperation = { ...withVariables(valid, variables), maxPageSize };
  const estimate = estimateOf(ready, context);
  if (!estimate) return;
  if (context.trace) context.trace.estimate = estimate;
  requireCost(estimate, maxCost);
  requireBudget(estimate, maxUpstreamCalls);
  // What one write reads back must leave room for those after it.
  if (valid.operation.operation === 'mutation') context.expectWrites(estimate.least);
}

/** An answer as the client gets it, its keys in this order. */
export interface Result {
  errors?: readonly GraphQLFormattedError[];
  data: Record<string, unknown> | null;
  extensions?: Record<string, unknown>;
}

/** Runs an admitted operation. Undefined where it asks for the schema itself, which is left to graphql-js. */
export async function run(
  valid: ValidOperation,
  variables: Variables | undefined,
  context: Context,
  formatError: FormatError,
): Promise<Result | undefined> {
  const { document, ...parts } = withVariables(valid, variables);
  const compiled = cachedDocument(document).compiled(parts.schema, parts.operation, parts.variableValues);
  const request = currentRequest.getStore();
  if (request) {
    request.kind = compiled ? (parts.operation.operation === 'mutation' ? 'mutation' : 'query') : 'introspection';
    request.operationName = parts.operation.name?.value;
  }
  if (!compiled) return undefined;
  const { data = null, errors } = await execute(compiled, { ...parts, context });
  if (request) request.hasData = data !== null && (!errors || Object.values(data).some((value) => value !== null));
  if (!errors) return { data };
  return { errors: errors.map((error) => formatError(error.toJSON(), error)), data };
}

/** What stands beside the data: errors that took no place of it, and what the operation cost, where that was asked. */
export function responseExtensions(
  { extraErrors: besides, trace, once }: Context,
  formatError: FormatError,
  errors: readonly GraphQLFormattedError[] = [],
): Partial<Pick<Result, 'errors' | 'extensions'>> {
  const extensions = {
    ...(trace && { upstream: trace.report() }),
    ...(once && once.replayed.length > 0 && { idempotency: { replayed: once.replayed } }),
  };
  return {
    ...(besides.length > 0 && { errors: [...errors, ...besides.map((error) => formatError(error.toJSON(), error))] }),
    ...(Object.keys(extensions).length > 0 && { extensions }),
  };
}
