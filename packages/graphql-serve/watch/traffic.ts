import type { IncomingHttpHeaders } from 'node:http';
import { counter, durationBuckets, errorCodes, histogram } from '@gateway/base';
import type { CurrentRequest } from '../request/current-request.ts';
import type { OperationSpan } from '../request/operation-span.ts';

/** `partial`: errors beside data; `failed`: errors alone; `left`: the client closed the connection before the answer. */
export type Outcome = 'ok' | 'partial' | 'failed' | 'left';

/** How a request for an operation or a part has ended. `status`: undefined where its client has left. */
export interface Ended {
  method: string | undefined;
  status: number | undefined;
  outcome: Outcome;
}

/** Gets each request for an operation or a part, with its notes. */
export interface RequestObserver {
  /** Called before the body is read. May set the bounds of the operation. */
  bound?(request: CurrentRequest): void;
  end?(request: CurrentRequest, ended: Ended): void;
  /** One operation of a request that has several, before the notes are those of the next. */
  endBatch?(request: CurrentRequest): void;
}

/** Takes the spans of operations and of their calls. */
export interface Spans extends RequestObserver {
  begin(headers: IncomingHttpHeaders): OperationSpan;
  /** Takes the calls of one window of a file. */
  endWindow(request: CurrentRequest): void;
}

/** Counts the requests of clients and their answers, and hands those that have ended to observers. */
export class Traffic {
  readonly operations = counter('operations_total', 'Operations by kind and outcome.', ['kind', 'outcome']);
  readonly seconds = histogram(
    'operation_seconds',
    'From the head of a request to the end of its answer.',
    ['kind'],
    durationBuckets,
  );
  readonly errors = counter('errors_total', 'Errors in answers by their code.', ['code']);
  readonly operationsWithErrors = counter(
    'operations_with_errors_total',
    'Operations by each code among their errors, counted once for the code.',
    ['code'],
  );
  readonly answers = counter('http_answers_total', 'Answers to HTTP requests of all kinds by their status.', [
    'status',
  ]);
  readonly uploads = counter('uploads_total', 'Requests with a file by the outcome of their operation.', ['outcome']);
  readonly uploadedBytes = counter('upload_bytes_total', 'Bytes of files that clients have sent.');
  inFlight = 0;
  readonly observers: RequestObserver[] = [];

  constructor() {
    // An alert sees the first error of a code only if Prometheus has seen a zero before it.
    for (const code of Object.keys(errorCodes)) this.operationsWithErrors.inc({ code }, 0);
  }

  /** Call for each request for an operation. */
  begin(request: CurrentRequest): void {
    this.inFlight += 1;
    request.kind = 'refused';
    for (const observer of this.observers) observer.bound?.(request);
  }

  endBatch(request: CurrentRequest): void {
    for (const observer of this.observers) observer.endBatch?.(request);
    request.asked = undefined;
  }

  /** Call once for every request; `status` is undefined where its client has left. */
  end(request: CurrentRequest, status: number | undefined, method?: string): void {
    if (status !== undefined) this.answers.inc({ status });
    const { kind, errors, fileBytes, part } = request;
    const outcome = outcomeOf(request, status);
    // A client that has left sees no errors.
    for (const [code, count] of outcome === 'left' ? [] : (errors ?? [])) {
      this.errors.inc({ code }, count);
      if (kind !== undefined && !part) this.operationsWithErrors.inc({ code });
    }
    if (kind !== undefined) {
      this.inFlight -= 1;
      this.operations.inc({ kind, outcome });
      this.seconds.of({ kind }).observe((performance.now() - request.begin) / 1000);
      if (fileBytes !== undefined) {
        this.uploads.inc({ outcome });
        this.uploadedBytes.inc({}, fileBytes);
      }
    } else if (!part) return;
    for (const observer of this.observers) observer.end?.(request, { method, status, outcome });
  }
}

function outcomeOf({ errors, hasData, sent }: CurrentRequest, status: number | undefined): Outcome {
  if (status === undefined) return 'left';
  // The service may have ended a file, which is an error.
  if (sent?.isWhole === false && (hasData || !errors)) return 'left';
  if (!errors) return 'ok';
  return hasData ? 'partial' : 'failed';
}
