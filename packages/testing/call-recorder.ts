import type { IncomingHttpHeaders } from 'node:http';
import { randomHex } from '@gateway/base';
import { type CurrentRequest, OperationSpan, type Spans } from '@gateway/graphql-serve';
import { traceOf, type UpstreamTrace } from '@gateway/rest-graph';
import { priorCosts } from '@gateway/upstream';
import { serviceContract } from '../../src/service-contract.ts';
import type { ServiceCall } from './api.ts';

const prior = priorCosts(serviceContract);

interface Recorded {
  /** The id that the client gave to its request. */
  id: string | string[] | undefined;
  /** Traces of its earlier windows, where the request asks for a list as a file. */
  windows: UpstreamTrace[];
  span: OperationSpan;
}

/** Remembers the calls of all operations, as the exports of OpenTelemetry learn them. */
export class CallRecorder implements Spans {
  readonly #operations = new Map<OperationSpan, Recorded>();

  begin(headers: IncomingHttpHeaders): OperationSpan {
    const span = new OperationSpan(randomHex(32), undefined, false);
    this.#operations.set(span, { id: headers['x-request-id'], windows: [], span });
    return span;
  }

  endWindow({ span }: CurrentRequest): void {
    const trace = span && traceOf(span);
    if (!trace) return;
    this.#operations.get(span)?.windows.push(trace);
    span.trace = undefined;
  }

  /** The calls are in the trace of the span already. */
  end(): void {}

  /** Those of one request, or of all since the last `clear`. */
  calls(id?: string): ServiceCall[] {
    return [...this.#operations.values()]
      .filter((recorded) => id === undefined || recorded.id === id)
      .flatMap(({ windows, span }) => [...windows, traceOf(span)])
      .flatMap((trace) => trace?.calls ?? [])
      .toSorted((a, b) => a.begin - b.begin)
      .map(({ endpoint, described, id, query, status, rows, reason, fields }) => {
        const { method, path } = described;
        const { callMs, rowMs } = prior.of(endpoint);
        const subject = { ...(id !== undefined && { id }), ...(query && { query }) };
        return {
          endpoint,
          method,
          path,
          ...subject,
          status,
          rows,
          ms: callMs + rowMs * rows,
          reason,
          fields: fields(),
        };
      });
  }

  clear(): void {
    this.#operations.clear();
  }
}
