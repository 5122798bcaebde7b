import { type FormattedExecutionResult, type GraphQLFormattedError, getOperationAST } from 'graphql';
import { inTurn } from '../lib/in-turn.ts';
import { currentRequest, type OperationKind } from '../observability/current-request.ts';
import type { ElementUses } from '../observability/element-uses.ts';
import { type ApolloOptions, type OperationSteps, startApollo } from './apollo.ts';
import type { RequestContext } from './context.ts';
import { codedError } from './errors/codes.ts';
import { errorFormatter } from './errors/format.ts';
import { errorsPerTurn } from './executor/answer-limit.ts';
import { execute } from './executor/execute.ts';
import type { ExecutionArgs, Operation } from './executor/operation.ts';
import type { GraphQLHttpRequest, GraphQLHttpResponse } from './http-request.ts';
import { answerTooLong } from './limits/answer-bounds.ts';
import { estimateOf, requireFits, serviceMsOf } from './limits/estimate.ts';
import { callsService } from './limits/root-calls.ts';
import { ListFile } from './list-file.ts';
import { answerType } from './media-types.ts';
import { type OperationRequest, operationRequest } from './operation-request.ts';
import { stringifyInSlices } from './slices.ts';
import { coerceVariables, type Variables } from './variables.ts';

export interface PipelineOptions extends Omit<ApolloOptions, 'formatError' | 'steps'> {
  elements: ElementUses;
}

export interface Pipeline {
  execute(request: GraphQLHttpRequest, context: RequestContext): Promise<GraphQLHttpResponse>;
  /** Checks an operation whose list a file is to show. Gives `context.opened` the list, or returns a refusal. */
  open(request: GraphQLHttpRequest, context: RequestContext): Promise<GraphQLHttpResponse>;
  stop(): Promise<void>;
}

/** Characters of an answer that take some milliseconds as JSON. */
const longAnswer = 512 * 1024;

/** Nothing stands beside the data. */
const nothing: FormattedExecutionResult = {};

const noFileEstimate =
  'X-Trace-Upstream: estimate runs nothing, so there is no file to send. Ask for the estimate with Accept: application/json.';

/**
 * The path of every operation: operation cache, variables, limits, execution, response. An operation outside the cache
 * takes the same steps inside Apollo Server. Apollo Server parses and validates the document, negotiates the media type,
 * and words refusals.
 */
export async function startPipeline(options: PipelineOptions): Promise<Pipeline> {
  const formatError = errorFormatter(options.logger);
  const { operations, elements } = options;
  const steps: OperationSteps = { admit, run, extras, longBody };
  const apollo = await startApollo({ ...options, formatError, steps });

  /**
   * Checks an operation before its first call.
   * @throws BAD_USER_INPUT for variables that do not fit their types.
   * @throws QUERY_TOO_COMPLEX for more objects than are allowed.
   * @throws UPSTREAM_BUDGET_EXCEEDED for more calls than are allowed.
   */
  function admit(operation: Operation, variables: Variables = {}, context: RequestContext): ExecutionArgs {
    const { limits, introspectionEnabled } = context.service;
    if (operation.definition.operation === 'subscription') {
      throw codedError('BAD_REQUEST', 'Subscriptions are not supported.', { http: { status: 400 } });
    }
    const variableValues = coerceVariables(operation, variables, { hideSuggestions: !introspectionEnabled });
    elements.note(operation, variables);
    const key = operation.treeKey(variableValues);
    const cached = operations.tree(key);
    const tree = cached ?? operation.tree(variableValues);
    const args = { operation, tree, variableValues, contextValue: context, answer: context.answer };
    if (context.opened) {
      if (context.trace?.isEstimate) throw codedError('BAD_REQUEST', noFileEstimate, { http: { status: 400 } });
      context.charge?.admit(0);
      context.opened.list = new ListFile(args);
      return args;
    }
    // The rows beside `serverTime` must not be older than that time.
    if (tree.names.has('serverTime')) context.calls.isFresh = true;
    const estimate = estimateOf(args, context);
    if (!estimate) return args;
    const { least, cost, expected, pushed } = estimate;
    if (context.trace) context.trace.estimate = { least, cost, ...(expected && { expected }) };
    requireFits(estimate, limits);
    if (context.trace?.isEstimate) return args;
    context.charge?.admit(serviceMsOf(args, context));
    // The reads after one write must leave room for the writes after it.
    if (operation.definition.operation === 'mutation') context.budget.reserve(least - pushed);
    if (!cached) operations.add(key, tree);
    return args;
  }

  /** Undefined for a document outside the cache, and for an operation that is refused: Apollo Server words the refusal. */
  function admittedAtOnce(
    { text, operationName, variables }: OperationRequest,
    context: RequestContext,
  ): ExecutionArgs | undefined {
    const document = operations.document(text);
    const definition = document && getOperationAST(document.node, operationName);
    try {
      return definition ? admit(document.operation(definition), variables, context) : undefined;
    } catch {
      return undefined;
    }
  }

  async function run(args: ExecutionArgs, context: RequestContext): Promise<FormattedExecutionResult> {
    const { calls, caller, once } = context;
    if (context.opened || context.trace?.isEstimate) return { data: null };
    const request = currentRequest.getStore();
    request?.span?.run(args);
    if (caller.isUnknown) await identify(args, calls);
    if (request) {
      request.kind = kindOf(args);
      request.operationName = args.operation.definition.name?.value;
    }
    const { data = null, errors } = await execute(args);
    if (once?.refusal) return { data: null };
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

  async function identify({ operation, tree }: ExecutionArgs, calls: RequestContext['calls']): Promise<void> {
    const fields = tree.fields.filter(callsService).map(({ key }) => key);
    const isMutation = operation.definition.operation === 'mutation';
    if (fields.length > 0) await calls.identify({ isMutation }, () => fields);
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

  async function askApollo(request: GraphQLHttpRequest, context: RequestContext): Promise<GraphQLHttpResponse> {
    const response = await apollo.execute(request, context);
    // Nothing was sent, so Apollo Server can word the refusal.
    if (context.once?.refusal) return apollo.execute(request, context);
    return { ...response, body: shortBody(response.body, context) };
  }

  return {
    async execute(request, context) {
      const asked = operationRequest(request);
      const type = asked && answerType(request.headers.accept);
      const args = type && admittedAtOnce(asked, context);
      if (!args) return askApollo(request, context);
      const { data, errors: own } = await run(args, context);
      if (context.once?.refusal) return apollo.execute(request, context);
      const { errors = own, extensions } = extras(context, own);
      const answer = { errors, data, extensions };
      const long = longBody(answer, context);
      const body = long ? await long : shortBody(`${JSON.stringify(answer)}\n`, context);
      return { status: 200, headers: [['content-type', type]], body };
    },
    open: apollo.execute,
    stop: apollo.stop,
  };
}

function kindOf({ operation, tree }: ExecutionArgs): OperationKind {
  if (tree.names.has('__schema') || tree.names.has('__type') || tree.names.has('_service')) return 'introspection';
  return operation.definition.operation === 'mutation' ? 'mutation' : 'query';
}
