import type { IncomingMessage, ServerResponse } from 'node:http';
import { codedError, retryAfterSeconds, unsupported } from '@gateway/base';
import {
  askForBody,
  type CurrentRequest,
  discardBody,
  type OpenPart,
  type PartHost,
  requireKey,
  sendMethodNotAllowed,
  TransferLimit,
} from '@gateway/graphql-serve';
import type { RestService } from '@gateway/rest-graph';
import { GraphQLError } from 'graphql';
import { Batch, type LineResult, pushDocument } from './batch.ts';
import { BatchWriter, isOpen } from './batch-writer.ts';
import { type Line, linesOf } from './push-lines.ts';
import type { WriteStatus } from './types.ts';

const mediaTypes = new Set(['application/jsonl', 'application/x-ndjson', 'application/ndjson']);

/** Writes of a push. More would take as long as an operation may. */
const batchRows = 100;

/**
 * `POST /push`: a write of each line, and a line of the answer for each write, in any number. The gateway makes them in pushes,
 * and reads on when the one before is made.
 */
export function pushRoute(service: RestService): OpenPart {
  return (host) => ({
    routes: [{ path: '/push', takesBody: true, cors: { headers: [], shown: [] }, handle: pushEndpoint(service, host) }],
  });
}

function pushEndpoint(service: RestService, host: PartHost) {
  const { settings, answers, formatError } = host;
  const { keyHeader, schema } = service;
  const query = pushDocument(schema);
  const running = new TransferLimit(settings.limits.uploads.running);

  return async function push(request: IncomingMessage, response: ServerResponse, current: CurrentRequest) {
    if (request.method !== 'POST') return sendMethodNotAllowed(response, 'POST');
    requireLines(request);
    requireKey(request, keyHeader);
    const headers = { accept: request.headers.accept, 'content-type': 'application/json' };
    // Where clients may run trusted documents alone, this one has to be among them.
    const asked = host.documents().resolve({ method: 'POST', headers, body: { query } });
    const transfer = answers.transfer(response, host.callerOf(request, current).keyDigest);
    running.enter(transfer);
    try {
      askForBody(response);
      const writer = new BatchWriter(
        { service, host, asked: { ...asked, body: { query } } },
        request,
        response,
        current,
      );
      host.traffic.begin(current);
      current.kind = 'mutation';
      await pushLines(writer, request, response, current);
    } catch (error) {
      if (!response.destroyed) throw error;
    } finally {
      running.leave(transfer);
    }
  };

  async function pushLines(
    writer: BatchWriter,
    request: IncomingMessage,
    response: ServerResponse,
    current: CurrentRequest,
  ): Promise<void> {
    const stream = host.stream(response, current, { 'content-type': 'application/jsonl' });
    const write = (values: readonly object[]) =>
      stream.write(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
    const counts: Record<'lines' | WriteStatus, number> = {
      lines: 0,
      DONE: 0,
      REPLAYED: 0,
      REFUSED: 0,
      UNKNOWN: 0,
      NOT_TRIED: 0,
    };
    const end: { complete: boolean; error?: unknown } = { complete: false };
    const lines = linesOf(request, settings.limits.clients.bodyBytes);
    // The lines before one that cannot be read are written.
    let unread: unknown;
    const read = (): Promise<Line | undefined> =>
      lines.next().then(
        ({ value, done }) => (done ? undefined : value),
        (error: unknown) => {
          unread = error;
          return undefined;
        },
      );
    try {
      for (let next = await read(); next; ) {
        if (host.isClosing()) throw closing();
        const batch = new Batch(schema, batchRows);
        while (next && batch.add(next)) next = await read();
        batch.requirePlannable();
        const results = await writer.resultsOf(batch);
        counts.lines += results.length;
        for (const { status } of results) counts[status] += 1;
        await write([...results, { $progress: counts }]);
        requireGoingOn(results);
      }
      if (unread) throw unread;
      end.complete = true;
    } catch (error) {
      if (response.destroyed) throw error;
      end.error = formatError(error);
    }
    await write([{ $end: { ...counts, ...end } }]);
    await stream.end();
    await lines.return(undefined);
    if (!request.complete) discardBody(request);
  }
}

/** @throws UNSUPPORTED_MEDIA_TYPE (415) for another type, and for lines in a coding. */
function requireLines({ headers }: IncomingMessage): void {
  const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = headers;
  const accepted = { 'accept-post': [...mediaTypes].join(', '), 'accept-encoding': 'identity' };
  if (!mediaTypes.has(type.replace(/;.*/, '').trim().toLowerCase())) {
    throw unsupported('Content-Type must be application/jsonl.', accepted);
  }
  if (coding.toLowerCase() !== 'identity') throw unsupported('Lines have no Content-Encoding.', accepted);
}

/** @throws GraphQLError where the writes of later lines would fare as these have. */
function requireGoingOn(results: readonly LineResult[]): void {
  const isLost = results.every(({ status }) => status === 'UNKNOWN');
  const stopped = isLost ? results[0] : results.find(isOpen);
  if (stopped) throw new GraphQLError(stopped.error?.message ?? '', { extensions: { ...stopped.error } });
}

function closing(): GraphQLError {
  return codedError('OVERLOADED', 'The gateway is shutting down.', { retry_after: retryAfterSeconds() });
}
