import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type CurrentRequest,
  clientLeft,
  contextOptions,
  type GraphQLHttpRequest,
  type PartHost,
} from '@gateway/graphql-serve';
import type { RestService } from '@gateway/rest-graph';
import { GraphQLError } from 'graphql';
import { type Batch, type LineResult, shown, type WriteError } from './batch.ts';
import type { WriteStatus } from './types.ts';

/** The result of one write, in an answer of the graph. */
interface PushedWrite {
  status: WriteStatus;
  object?: { __typename: string; id?: string } | null;
  error: Partial<WriteError> | null;
}

interface BatchWriterParts {
  service: RestService;
  host: PartHost;
  /** The request for the document that makes a batch. */
  asked: GraphQLHttpRequest & { body: object };
}

/** Makes the batches of one request. */
export class BatchWriter {
  readonly #parts: BatchWriterParts;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #current: CurrentRequest;

  constructor(parts: BatchWriterParts, request: IncomingMessage, response: ServerResponse, current: CurrentRequest) {
    this.#parts = parts;
    this.#request = request;
    this.#response = response;
    this.#current = current;
  }

  /** Sends a batch again while that makes more of its writes. The results are in the order of the lines. */
  async resultsOf(batch: Batch): Promise<LineResult[]> {
    const { writes, refused } = batch;
    const results = new Map<number, LineResult>();
    let open = writes.length;
    for (let before = open + 1; open > 0 && open < before; ) {
      before = open;
      const pushed = await this.#execute(writes);
      for (const [index, { line, input }] of writes.entries()) {
        const { status, object, error } = pushed[index] as PushedWrite;
        const earlier = results.get(line);
        if (earlier && !isOpen(earlier)) continue;
        results.set(line, {
          line,
          key: input.key,
          ...(input.ref && { ref: input.ref }),
          status,
          ...(object && { type: object.__typename, ...(object.id !== undefined && { id: object.id }) }),
          ...(error && { error: shown({ ...error, message: batch.inLines(error.message ?? '') }) }),
        });
      }
      open = [...results.values()].filter(isOpen).length;
    }
    return [...results.values(), ...refused].sort((a, b) => a.line - b.line);
  }

  /** One push, with the time, the calls and the memory of an operation. Throws where the client has left. */
  async #execute(writes: Batch['writes']): Promise<PushedWrite[]> {
    const { service, host, asked } = this.#parts;
    // The service may accept the token in the first batch.
    const caller = host.callerOf(this.#request, this.#current);
    const notTried = (error: Partial<WriteError>) => writes.map((): PushedWrite => ({ status: 'NOT_TRIED', error }));
    try {
      const place = await host.operations.enter(this.#response, caller.share);
      const options = { ...contextOptions(this.#request, this.#current), trace: undefined };
      const context = service.open(caller, options);
      const leave = () => context.scope.leave(clientLeft());
      this.#response.once('close', leave);
      try {
        if (!place || this.#response.destroyed) throw clientLeft();
        const variables = { writes: writes.map(({ input }) => input) };
        const { body } = await host.pipeline.execute({ ...asked, body: { ...asked.body, variables } }, context);
        const { data, errors } = JSON.parse(String(body));
        return data?.push ?? notTried({ ...errors[0].extensions, message: errors[0].message });
      } finally {
        this.#response.off('close', leave);
        this.#current.calls += context.calls;
        host.traffic.endBatch(this.#current);
        context.end();
        if (place) host.operations.leave(place);
      }
    } catch (error) {
      // An earlier round may have made some of the writes.
      if (this.#response.destroyed || !(error instanceof GraphQLError)) throw error;
      return notTried(shown(error));
    }
  }
}

/** The same line may be made later, or has been made already. */
export function isOpen({ status, error }: LineResult): boolean {
  return (status === 'NOT_TRIED' || status === 'UNKNOWN') && error?.retryable === true;
}
