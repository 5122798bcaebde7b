import type { IncomingHttpHeaders } from 'node:http';
import type { CurrentRequest } from '../request/current-request.ts';
import type { OperationSpan } from '../request/operation-span.ts';
import type { RequestObserver } from './traffic.ts';

/** Takes the spans of operations and of their calls. */
export interface Spans extends RequestObserver {
  begin(headers: IncomingHttpHeaders): OperationSpan;
  /** Takes the calls of one window of a file. */
  endWindow(request: CurrentRequest): void;
}
