import type { IncomingMessage } from 'node:http';
import type { CurrentRequest } from '../observability/current-request.ts';
import type { CallerHeaders } from '../upstream/caller.ts';

const ids = '(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}';
/** A later version may have more parts at the end. */
const traceparentForm = new RegExp(`^(?:00-${ids}|(?!00|ff)[0-9a-f]{2}-${ids}(?:-[!-~]{0,200})?)$`);

/**
 * Headers that join the service's logs and traces to the client's: the request's id and its trace context
 * (https://www.w3.org/TR/trace-context/). A malformed trace context is dropped.
 */
export function traceContextHeaders({ headers }: IncomingMessage, request: CurrentRequest): CallerHeaders {
  const { traceparent, tracestate } = headers;
  if (typeof traceparent !== 'string') return { 'x-request-id': request.id };
  const match = traceparentForm.exec(traceparent);
  if (!match) return { 'x-request-id': request.id };
  request.traceId = match[1] ?? match[2];
  const hasState = typeof tracestate === 'string' && /^[ -~]{1,512}$/.test(tracestate);
  return { 'x-request-id': request.id, traceparent, ...(hasState && { tracestate }) };
}
