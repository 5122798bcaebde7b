import type { Logger } from 'pino';
import type { CurrentRequest } from '../request/current-request.ts';
import type { Ended, RequestObserver } from './traffic.ts';

/** For the name of an operation, which the client chooses freely. */
const maxNameLength = 100;

/**
 * Logs one line for an operation or a file, without keys, documents, variables and names of files. The name of a file may be
 * all that protects the file.
 */
export function accessLog(logger: Logger): RequestObserver {
  return { end: (request, ended) => logger.info(lineOf(request, ended), request.part?.name ?? 'GraphQL') };
}

function lineOf(
  { id, traceId, span, client, kind, operationName, calls, errors, fileBytes, part, sent, begin }: CurrentRequest,
  { method, status, outcome }: Ended,
) {
  return {
    request_id: id,
    trace_id: span?.traceId ?? traceId,
    span_id: span?.spanId,
    method,
    status,
    ms: Math.round((performance.now() - begin) * 10) / 10,
    kind,
    operation: operationName?.slice(0, maxNameLength),
    client: client.name,
    client_version: client.version,
    ...part?.log,
    outcome,
    upstream_calls: part ? undefined : calls,
    errors: errors && [...errors.keys()],
    rows: sent?.rows,
    file_bytes: sent?.bytes ?? fileBytes,
  };
}
