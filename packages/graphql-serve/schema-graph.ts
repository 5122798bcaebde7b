import { AnswerLimit, codedError } from '@gateway/base';
import { execute, type GraphQLSchema } from 'graphql';
import type { Graph, OperationContext } from './graph.ts';
import { withoutRecords } from './shared.ts';

export interface SchemaGraphOptions {
  schema: GraphQLSchema;
  /** The header with the key of the caller. By default `Authorization`. */
  keyHeader?: string;
  /** For one operation. By default 25 seconds. */
  timeoutMs?: number;
}

/** One request for an operation of a plain schema. */
export interface SchemaContext extends OperationContext {
  /** Aborted when the client has left, or when the time is over. */
  readonly signal: AbortSignal;
}

/**
 * A graph of an executable schema. graphql-js runs its resolvers, which get a `SchemaContext`. It keeps no records of writes:
 * a mutation with an Idempotency-Key is refused.
 */
export function schemaGraph({
  schema,
  keyHeader = 'Authorization',
  timeoutMs = 25_000,
}: SchemaGraphOptions): Graph<SchemaContext> {
  return {
    schema,
    keyHeader,
    callers: { known: (caller) => caller },
    open(caller, { once, trace }) {
      const work = new AbortController();
      const late = () => work.abort(codedError('UPSTREAM_TIMEOUT', `The operation took longer than ${timeoutMs} ms.`));
      const timer = setTimeout(late, timeoutMs);
      return {
        caller,
        scope: { isBegun: true, leave: (reason) => work.abort(reason) },
        answer: new AnswerLimit(),
        errors: { list: [], causeOf: (error) => error },
        once,
        isEstimate: trace === 'estimate',
        calls: 0,
        signal: work.signal,
        extensions: () => undefined,
        end: () => clearTimeout(timer),
      };
    },
    admit({ operation }, { once, isEstimate }) {
      if (isEstimate) {
        throw codedError('BAD_USER_INPUT', 'This graph gives no estimates: leave out X-Trace-Upstream.', {
          http: { status: 400 },
        });
      }
      if (once && operation.definition.operation === 'mutation') throw withoutRecords();
      return true;
    },
    execute({ operation: { document, definition }, variables }, context) {
      const { signal } = context;
      // The client may have left while the operation was opened.
      if (signal.aborted) return Promise.resolve({ data: null, errors: [signal.reason] });
      const ended = new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
      const answer = execute({
        schema,
        document: document.node,
        operationName: definition.name?.value ?? null,
        contextValue: context,
        variableValues: variables ?? null,
      });
      return Promise.race([answer, ended]).catch((error) => ({ data: null, errors: [error] }));
    },
  };
}
