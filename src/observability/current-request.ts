import { AsyncLocalStorage } from 'node:async_hooks';
import type { ErrorCode } from '../graphql/errors/codes.ts';

/** What a request for an operation turned out to be; `refused`: nothing was run. */
export type OperationKind = 'query' | 'mutation' | 'introspection' | 'refused';

/** One HTTP request, and what is noted in its course of how it went, for metrics and logs. */
export class CurrentRequest {
  readonly id: string;
  /** Milliseconds of performance.now(). */
  readonly begin = performance.now();
  /** Undefined where no operation is asked for. */
  kind: OperationKind | undefined = undefined;
  /** As the document has it. */
  operationName: string | undefined = undefined;
  /** Errors by their codes. */
  errors: Map<ErrorCode, number> | undefined = undefined;
  /** The answer holds something beside errors. */
  hasData = false;
  /** Calls of the service. */
  calls = 0;
  /** Bytes of the file that came with it. */
  fileBytes: number | undefined = undefined;
  /** The trace that the client has put it in. */
  traceId: string | undefined = undefined;

  constructor(id: string) {
    this.id = id;
  }

  noteError(code: ErrorCode): void {
    this.errors ??= new Map();
    this.errors.set(code, (this.errors.get(code) ?? 0) + 1);
  }
}

/** The request in whose course this runs: Apollo formats errors without saying whose they are. */
export const currentRequest = new AsyncLocalStorage<CurrentRequest>();
