import type { AnswerLimit, Caller, CallerHeaders, ExecutionArgs, MemoryUse, Metric, WriteRecords } from '@gateway/base';
import type { ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql';
import type { OperationSpan } from './request/operation-span.ts';
import type { SharedState } from './shared.ts';

/** The headers of a request that change how its operation runs. */
export interface OperationOptions {
  trace?: 'true' | 'estimate' | undefined;
  /** Gets the calls of the operation. */
  span?: OperationSpan | undefined;
  /** The most calls, where fewer are allowed than by the limits of the graph. */
  mostCalls?: number | undefined;
  /** The operation may be answered from no earlier read. */
  isFresh?: boolean;
  /** Absent for a request without an Idempotency-Key. */
  once?: WriteRecords | undefined;
  /** The client's Accept-Language. */
  language?: string | undefined;
}

/** One request for an operation. Resolvers get it as their context. */
export interface OperationContext {
  readonly caller: Caller;
  readonly scope: {
    /** A part of the operation's work has been done. */
    readonly isBegun: boolean;
    /** Ends the work, because the client has left. */
    leave(reason: Error): void;
  };
  readonly answer: AnswerLimit;
  readonly errors: {
    /** Errors that stand beside data. */
    readonly list: readonly GraphQLError[];
    /** The error to show in place of another. */
    causeOf(error: GraphQLError): GraphQLError;
  };
  /** The records under the request's Idempotency-Key. */
  readonly once: Pick<WriteRecords, 'replayed' | 'refusal'> | undefined;
  /** The client asks what the operation would cost, and the operation does not run. */
  readonly isEstimate: boolean;
  /** Calls made so far. */
  readonly calls: number;
  /** The extensions of the answer; undefined where it has none. */
  extensions(): Record<string, unknown> | undefined;
  /** Called once the answer is sent. */
  end(): void;
}

/**
 * An executable schema, and what the server has to know of the work behind it. Serving it needs nothing else: the server
 * knows no resolver and no source of data.
 */
export interface Graph<Context extends OperationContext = OperationContext> {
  readonly schema: GraphQLSchema;
  /** The header with the key of the caller, as messages name it. */
  readonly keyHeader: string;
  readonly callers: {
    /** The caller, with what is known of its key now. `ofRequest`: headers that the calls of this request take along. */
    known(caller: Caller, ofRequest?: CallerHeaders): Caller;
  };
  open(caller: Caller, options: OperationOptions): Context;
  /**
   * Checks an operation before it runs. True where its tree of fields is worth a place in the operation cache.
   * @throws GraphQLError that is the answer.
   */
  admit(args: ExecutionArgs, context: Context): boolean;
  /** @throws GraphQLError for an operation that is refused whatever its variables are. */
  requireFits?(args: ExecutionArgs): void;
  /** Called before an operation runs. */
  begin?(args: ExecutionArgs, context: Context): Promise<void> | undefined;
  /** Runs an operation. Absent where `execute` of `@gateway/base` does, which awaits nothing below the root. */
  execute?(args: ExecutionArgs, context: Context): Promise<ExecutionResult>;
  readonly metrics?: readonly Metric[];
  /** Users of memory, by their names in metrics. */
  readonly memoryUses?: Readonly<Record<string, MemoryUse>>;
  /** Knowledge that other gateways of the same service need too. */
  readonly shared?: SharedState;
  close?(): Promise<void>;
}
