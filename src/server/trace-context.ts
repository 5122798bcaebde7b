import type { IncomingMessage } from 'node:http';
import type { CurrentRequest } from '../request/current-request.ts';
import { traceParentOf } from '../request/operation-span.ts';
import type { CallerHeaders } from '../upstream/caller.ts';

/**
 * Headers that join the service's logs and traces to the client's: the request's id and its trace context. A malformed
 * trace context is dropped. The service's parent is the client, or the span of the operation.
 */
export function traceContextHeaders({ headers }: IncomingMessage, request: CurrentRequest): CallerHeaders {
  const { traceparent, tracestate } = headers;
  const { id, span } = request;
  if (!span && traceparent === undefined) return { 'x-request-id': id };
  const parent = span ? span.parent : traceParentOf(traceparent);
  const sent = span?.traceparent ?? (parent && String(traceparent));
  request.traceId = span?.traceId ?? parent?.traceId;
  if (sent === undefined) return { 'x-request-id': id };
  const hasState = parent !== undefined && typeof tracestate === 'string' && /^[ -~]{1,512}$/.test(tracestate);
  return { 'x-request-id': id, traceparent: sent, ...(hasState && { tracestate }) };
}
