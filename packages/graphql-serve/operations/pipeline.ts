import {
  answerTooLong,
  badRequest,
  codedError,
  type ExecutionArgs,
  errorsPerTurn,
  execute,
  inTurn,
  type Operation,
  type Variables,
} from '@gateway/base';
import { type FormattedExecutionResult, type GraphQLFormattedError, getOperationAST } from 'graphql';
import type { Graph, OperationContext } from '../graph.ts';
import { contentTypeFor } from '../request/accept.ts';
import { currentRequest, type OperationKind } from '../request/current-request.ts';
import { type ApolloOptions, type Opened, startApollo } from './apollo.ts';
import { type GraphQLHttpRequest, type GraphQLHttpResponse, operationRequest } from './operation-request.ts';
import { stringifyInSlices } from './slices.ts';
import { coerceVariables } from './variables.ts';

export interface Pipeline {
  /** Runs an operation. */
  execute(request: GraphQLHttpRequest, context: OperationContext): Promise<GraphQLHttpResponse>;
  /** Opens an operation that runs in another way. `check` throws an error that is the answer. */
  open<T>(request: GraphQLHttpRequest, context: OperationContext, check: (args: OpenedArgs) => T): Promise<Opened<T>>;
  stop(): Promise<void>;
}

export interface PipelineOptions extends Omit<ApolloOptions, 'schema'> {
  graph: Graph;
  /** The most bytes of an answer. */
  answerBytes: number;
}

export interface OpenedArgs extends ExecutionArgs {
  /** The operation cache has the tree. */
  isCached: boolean;
}

/** Characters of an answer that take some milliseconds as JSON. A shorter answer is made faster as a whole. */
const longAnswer = 512 * 1024;

/** Nothing stands beside the data. */
const nothing: FormattedExecutionResult = {};

/**
 * The path of every operation: operation cache, variables, limits, execution, response. Apollo Server opens operations outside
 * the cache, and words refusals.
 */
export async function startPipeline({ graph, answerBytes, ...options }: PipelineOptions): Promise<Pipeline> {
  const { operations, introspectionEnabled, formatError } = options;
  const apollo = await startApollo({ ...options, schema: graph.schema });

  const open: Pipeline['open'] = async (request, context, check) => {
    const admit = (operation: Operation, variables: Variables | undefined) =>
      check(argsOf(request, operation, variables, context));
    const asked = operationRequest(request);
    const document = asked && operations.document(asked.text);
    const definition = document && getOperationAST(document.node, asked.operationName);
    if (!definition) return ask(request, context, admit);
    try {
      return { admitted: admit(document.operation(definition), asked.variables) };
    } catch (error) {
      return refuse(request, context, error);
    }
  };

  function ask<T>(
    request: GraphQLHttpRequest,
    context: OperationContext,
    admit: (operation: Operation, variables: Variables | undefined) => T,
  ): Promise<Opened<T>> {
    const isCacheable = context.caller.key !== '';
    return apollo.open(request, { admit, isCacheable, extras: (errors) => extras(context, errors) });
  }

  /** Refuses a valid operation. */
  function refuse(request: GraphQLHttpRequest, context: OperationContext, error: unknown): Promise<Opened<never>> {
    return ask(request, context, () => {
      throw error;
    });
  }

  /**
   * @throws BAD_REQUEST (405) for a mutation by a method that writes nothing.
   * @throws BAD_USER_INPUT for variables that do not fit their types.
   */
  function argsOf(
    { method }: GraphQLHttpRequest,
    operation: Operation,
    variables: Variables = {},
    context: OperationContext,
  ): OpenedArgs {
    if (operation.definition.operation === 'subscription') {
      throw badRequest('Subscriptions are not supported.');
    }
    if (method !== 'POST' && operation.definition.operation === 'mutation') {
      const http = { status: 405, headers: new Map([['allow', 'POST']]) };
      throw codedError('BAD_REQUEST', `${method} requests only support query operations, not mutation operations`, {
        http,
      });
    }
    const variableValues = coerceVariables(operation, variables, { hideSuggestions: !introspectionEnabled });
    const request = currentRequest.getStore();
    if (request) request.asked = { operation, variables };
    const cached = operations.tree(operation.treeKey(variableValues));
    const tree = cached ?? operation.tree(variableValues);
    return {
      operation,
      tree,
      variables,
      variableValues,
      contextValue: context,
      answer: context.answer,
      isCached: cached === tree,
    };
  }

  /** Checks an operation before it runs. Caches the tree of one that passes. */
  function admit(args: OpenedArgs, context: OperationContext): ExecutionArgs {
    const { operation, tree, variableValues, isCached } = args;
    if (graph.admit(args, context) && !isCached) operations.add(operation.treeKey(variableValues), tree);
    return args;
  }

  async function run(args: ExecutionArgs, context: OperationContext): Promise<FormattedExecutionResult> {
    if (context.isEstimate) return { data: null };
    const request = currentRequest.getStore();
    request?.span?.run(args);
    if (request) {
      request.kind = kindOf(args);
      request.operationName = args.operation.definition.name?.value;
    }
    const { data = null, errors } = await runOperation(graph, args, context);
    if (context.once?.refusal) return { data: null };
    if (request) request.hasData = data !== null && (!errors || Object.values(data).some((value) => value !== null));
    if (!errors) return { data };
    const shown: GraphQLFormattedError[] = [];
    for (const [index, error] of errors.entries()) {
      shown.push(formatError(context.errors.causeOf(error)));
      if (index % errorsPerTurn === errorsPerTurn - 1) await new Promise<void>(inTurn);
    }
    return { errors: shown, data };
  }

  /** Errors beside the data, what the graph adds, and the writes that were replayed. */
  function extras(
    context: OperationContext,
    errors: FormattedExecutionResult['errors'] = [],
  ): FormattedExecutionResult {
    const { errors: extraErrors, once } = context;
    const hasReplayed = once !== undefined && once.replayed.length > 0;
    const own = context.extensions();
    if (!own && !hasReplayed && extraErrors.list.length === 0) return nothing;
    const extensions = { ...own, ...(hasReplayed && { idempotency: { replayed: once.replayed } }) };
    const formatted = extraErrors.list.map(formatError);
    return {
      ...(formatted.length > 0 && { errors: [...errors, ...formatted] }),
      ...(Object.keys(extensions).length > 0 && { extensions }),
    };
  }

  /** The executor does not count escapes. */
  function shortBody(body: string | Buffer): string | Buffer {
    // A character takes three bytes at most.
    if (3 * body.length <= answerBytes || Buffer.byteLength(body) <= answerBytes) return body;
    return refusedBody();
  }

  function refusedBody(): string {
    return JSON.stringify({ errors: [formatError(answerTooLong(answerBytes))], data: null });
  }

  return {
    async execute(request, context) {
      let opened = await open(request, context, (args) => admit(args, context));
      const result = 'admitted' in opened ? await run(opened.admitted, context) : nothing;
      // Nothing was sent.
      if (context.once?.refusal) opened = await refuse(request, context, context.once.refusal);
      if ('refusal' in opened) return { ...opened.refusal, body: shortBody(opened.refusal.body) };
      const { errors = result.errors, extensions } = extras(context, result.errors);
      const answer = { errors, data: result.data, extensions };
      const isLong = context.answer.characters >= longAnswer;
      const long = isLong ? ((await stringifyInSlices(answer, answerBytes)) ?? refusedBody()) : undefined;
      const body = long ?? shortBody(`${JSON.stringify(answer)}\n`);
      return { status: 200, headers: [['content-type', contentTypeFor(request.headers.accept)]], body };
    },
    open,
    stop: apollo.stop,
  };
}

/** The graph may have something to find out before the first field. */
export function runOperation<Context extends OperationContext>(
  graph: Graph<Context>,
  args: ExecutionArgs,
  context: Context,
): ReturnType<typeof execute> {
  const run = () => (graph.execute ? graph.execute(args, context) : execute(args));
  return graph.begin?.(args, context)?.then(run) ?? run();
}

function kindOf({ operation, tree }: ExecutionArgs): OperationKind {
  if (tree.names.has('__schema') || tree.names.has('__type') || tree.names.has('_service')) return 'introspection';
  return operation.definition.operation === 'mutation' ? 'mutation' : 'query';
}
