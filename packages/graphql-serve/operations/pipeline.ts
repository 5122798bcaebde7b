import {
  badRequest,
  type ExecutionArgs,
  errorsPerTurn,
  execute,
  inTurn,
  type Operation,
  type Variables,
} from '@gateway/base';
import {
  answerTooLong,
  callsService,
  type OperationPlan,
  planOperation,
  type RequestContext,
  requireFits,
} from '@gateway/rest-graph';
import { type FormattedExecutionResult, type GraphQLFormattedError, getOperationAST } from 'graphql';
import { currentRequest, type OperationKind } from '../request/current-request.ts';
import { type ApolloOptions, type Opened, startApollo } from './apollo.ts';
import { errorFormatter } from './errors/format.ts';
import type { GraphQLHttpRequest, GraphQLHttpResponse } from './http-request.ts';
import { answerType } from './media-types.ts';
import { type OperationRequest, operationRequest } from './operation-request.ts';
import { stringifyInSlices } from './slices.ts';
import { coerceVariables } from './variables.ts';

export interface Pipeline {
  /** Runs an operation. */
  execute(request: GraphQLHttpRequest, context: RequestContext): Promise<GraphQLHttpResponse>;
  /** Opens an operation that runs in another way. `check` throws an error that is the answer. */
  open<T>(request: GraphQLHttpRequest, context: RequestContext, check: (args: OpenedArgs) => T): Promise<Opened<T>>;
  stop(): Promise<void>;
}

interface OpenedArgs extends ExecutionArgs {
  /** The operation cache has the tree. */
  isCached: boolean;
}

/** Characters of an answer that take some milliseconds as JSON. */
const longAnswer = 512 * 1024;

/** Nothing stands beside the data. */
const nothing: FormattedExecutionResult = {};

/**
 * The path of every operation: operation cache, variables, limits, execution, response. Apollo Server opens operations outside
 * the cache, and words refusals.
 */
export async function startPipeline(options: Omit<ApolloOptions, 'formatError'>): Promise<Pipeline> {
  const formatError = errorFormatter(options.logger);
  const { operations } = options;
  const apollo = await startApollo({ ...options, formatError });

  /** Undefined for a document outside the cache. */
  function cachedOperation({ text, operationName }: OperationRequest): Operation | undefined {
    const document = operations.document(text);
    const definition = document && getOperationAST(document.node, operationName);
    return definition ? document.operation(definition) : undefined;
  }

  const open: Pipeline['open'] = async (request, context, check) => {
    const asked = operationRequest(request);
    const type = asked && answerType(request.headers.accept);
    const operation = type && cachedOperation(asked);
    if (!operation) {
      return ask(request, context, (operation, variables) => check(argsOf(operation, variables, context)));
    }
    try {
      return { admitted: check(argsOf(operation, asked.variables, context)), headers: [['content-type', type]] };
    } catch (error) {
      return refuse(request, context, error);
    }
  };

  function ask<T>(
    request: GraphQLHttpRequest,
    context: RequestContext,
    admit: (operation: Operation, variables: Variables | undefined) => T,
  ): Promise<Opened<T>> {
    const isCacheable = context.caller.key !== '';
    return apollo.open(request, { admit, isCacheable, extras: (errors) => extras(context, errors) });
  }

  /** Refuses a valid operation. */
  function refuse(request: GraphQLHttpRequest, context: RequestContext, error: unknown): Promise<Opened<never>> {
    return ask(request, context, () => {
      throw error;
    });
  }

  /** @throws BAD_USER_INPUT for variables that do not fit their types. */
  function argsOf(operation: Operation, variables: Variables = {}, context: RequestContext): OpenedArgs {
    if (operation.definition.operation === 'subscription') {
      throw badRequest('Subscriptions are not supported.');
    }
    const { introspectionEnabled } = context.service;
    const variableValues = coerceVariables(operation, variables, { hideSuggestions: !introspectionEnabled });
    const request = currentRequest.getStore();
    if (request) request.asked = { operation, variables };
    const cached = operations.tree(operation.treeKey(variableValues));
    const tree = cached ?? operation.tree(variableValues);
    return {
      operation,
      tree,
      variableValues,
      contextValue: context,
      answer: context.answer,
      isCached: cached === tree,
    };
  }

  /** Checks an operation before its first call. Caches the tree of one that passes. */
  function admit(args: OpenedArgs, context: RequestContext): ExecutionArgs {
    const { operation, tree, variableValues, isCached } = args;
    const plan = requirePlan(args, context);
    if (!plan || context.trace?.isEstimate) return args;
    const { estimate, separate } = plan;
    // The reads after one write must leave room for the writes after it.
    if (operation.definition.operation === 'mutation') context.reader.budget.reserve(estimate.least - separate.writes);
    if (!isCached) operations.add(operation.treeKey(variableValues), tree);
    return args;
  }

  async function run(args: ExecutionArgs, context: RequestContext): Promise<FormattedExecutionResult> {
    if (context.trace?.isEstimate) return { data: null };
    const request = currentRequest.getStore();
    request?.span?.run(args);
    if (request) {
      request.kind = kindOf(args);
      request.operationName = args.operation.definition.name?.value;
    }
    const { data = null, errors } = await runOperation(args, context);
    if (context.once?.refusal) return { data: null };
    if (request) request.hasData = data !== null && (!errors || Object.values(data).some((value) => value !== null));
    if (!errors) return { data };
    const shown: GraphQLFormattedError[] = [];
    for (const [index, error] of errors.entries()) {
      const cause = context.errors.causeOf(error);
      shown.push(formatError(cause.toJSON(), cause));
      if (index % errorsPerTurn === errorsPerTurn - 1) await new Promise<void>(inTurn);
    }
    return { errors: shown, data };
  }

  /** Errors beside the data, the trace if the client asked for it, and the writes that were replayed. */
  function extras(
    { errors: extraErrors, trace, once }: RequestContext,
    errors: FormattedExecutionResult['errors'] = [],
  ): FormattedExecutionResult {
    const hasReplayed = once !== undefined && once.replayed.length > 0;
    if (!trace?.isShown && !hasReplayed && extraErrors.list.length === 0) return nothing;
    const extensions = {
      ...(trace?.isShown && { upstream: trace.report() }),
      ...(hasReplayed && { idempotency: { replayed: once.replayed } }),
    };
    const formatted = extraErrors.list.map((error) => formatError(error.toJSON(), error));
    return {
      ...(formatted.length > 0 && { errors: [...errors, ...formatted] }),
      ...(Object.keys(extensions).length > 0 && { extensions }),
    };
  }

  /** The body of an answer that is made in slices. Undefined for a short answer, which is made faster as a whole. */
  function longBody(
    { errors, data, extensions }: FormattedExecutionResult,
    { answer: { characters }, service: { limits } }: RequestContext,
  ): Promise<Buffer> | undefined {
    if (characters < longAnswer) return undefined;
    const body = stringifyInSlices({ errors, data, extensions }, limits.answerBytes);
    return body.then((text) => text ?? Buffer.from(refusedBody(limits.answerBytes)));
  }

  /** The executor does not count escapes. */
  function shortBody(body: string | Buffer, { service: { limits } }: RequestContext): string | Buffer {
    const { answerBytes } = limits;
    // A character takes three bytes at most.
    if (3 * body.length <= answerBytes || Buffer.byteLength(body) <= answerBytes) return body;
    return refusedBody(answerBytes);
  }

  function refusedBody(maxBytes: number): string {
    const error = answerTooLong(maxBytes);
    return JSON.stringify({ errors: [formatError(error.toJSON(), error)], data: null });
  }

  return {
    async execute(request, context) {
      let opened = await open(request, context, (args) => admit(args, context));
      const result = 'admitted' in opened ? await run(opened.admitted, context) : nothing;
      // Nothing was sent.
      if (context.once?.refusal) opened = await refuse(request, context, context.once.refusal);
      if ('refusal' in opened) return { ...opened.refusal, body: shortBody(opened.refusal.body, context) };
      const { errors = result.errors, extensions } = extras(context, result.errors);
      const answer = { errors, data: result.data, extensions };
      const long = longBody(answer, context);
      const body = long ? await long : shortBody(`${JSON.stringify(answer)}\n`, context);
      return { status: 200, headers: opened.headers, body };
    },
    open,
    stop: apollo.stop,
  };
}

/**
 * The plan of an operation that fits the limits. Undefined for an operation that makes no call.
 * @throws QUERY_TOO_COMPLEX for more objects than are allowed.
 * @throws UPSTREAM_BUDGET_EXCEEDED for more calls than are allowed.
 */
export function requirePlan(args: ExecutionArgs, context: RequestContext): OperationPlan | undefined {
  // The rows beside `serverTime` must not be older than that time.
  if (args.tree.names.has('serverTime')) context.reader.isFresh = true;
  const plan = planOperation(args, context);
  if (!plan) return undefined;
  context.roots = plan.roots;
  if (context.trace) context.trace.estimate = plan.estimate;
  requireFits(plan, context.service.limits);
  return plan;
}

/** Asks the service first about a token that it has not accepted yet. */
export async function runOperation(args: ExecutionArgs, context: RequestContext): ReturnType<typeof execute> {
  if (context.caller.isUnknown) {
    const fields = args.tree.fields.filter(callsService).map(({ key }) => key);
    const isMutation = args.operation.definition.operation === 'mutation';
    if (fields.length > 0) await context.reader.identify({ isMutation }, () => fields);
    context.renewLoaders();
  }
  return execute(args);
}

function kindOf({ operation, tree }: ExecutionArgs): OperationKind {
  if (tree.names.has('__schema') || tree.names.has('__type') || tree.names.has('_service')) return 'introspection';
  return operation.definition.operation === 'mutation' ? 'mutation' : 'query';
}
