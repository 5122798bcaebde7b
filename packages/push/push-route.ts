import type { IncomingMessage, ServerResponse } from 'node:http';
import { codedError, retryAfterSeconds, unsupported } from '@gateway/base';
import {
  AnswerStream,
  type CurrentRequest,
  clientLeft,
  codingFor,
  contextOptions,
  discardBody,
  errorFormatter,
  type OpenPart,
  type PartHost,
  requestCaller,
  requireKey,
  sendMethodNotAllowed,
  TransferLimit,
  traceContextHeaders,
  uncacheable,
} from '@gateway/graphql-serve';
import type { RestService } from '@gateway/rest-graph';
import { GraphQLError } from 'graphql';
import { Batch, type LineResult, pushDocument, shown, type WriteError } from './push-batch.ts';
import { type Line, linesOf } from './push-lines.ts';
import type { WriteStatus } from './types.ts';

const mediaTypes = new Set(['application/jsonl', 'application/x-ndjson', 'application/ndjson']);

/** Writes of a push. More would take as long as an operation may. */
const batchRows = 100;

/** The result of one write, in an answer of the graph. */
interface PushedWrite {
  status: WriteStatus;
  object: { __typename: string; id?: string } | null;
  error: WriteError | null;
}

/**
 * `POST /push`: a write of each line, and a line of the answer for each write, in any number. The gateway makes them in pushes,
 * and reads on when the one before is made.
 */
export function pushRoute(service: RestService): OpenPart {
  return (host) => ({
    routes: [
      {
        path: '/push',
        takesBody: true,
        cors: { headers: [], shown: [] },
        handle: pushEndpoint(service, host),
      },
    ],
  });
}

function pushEndpoint(service: RestService, host: PartHost) {
  const { settings, answers, logger } = host;
  const { schema, keyHeader, callers } = service;
  const document = pushDocument(schema);
  const formatError = errorFormatter(logger);
  const running = new TransferLimit(settings.limits.uploads.running);

  return async function push(request: IncomingMessage, response: ServerResponse, current: CurrentRequest) {
    if (request.method !== 'POST') return sendMethodNotAllowed(response, 'POST');
    const type = (request.headers['content-type'] ?? '').replace(/;.*/, '').trim().toLowerCase();
    if (!mediaTypes.has(type)) throw unsupported('Content-Type must be application/jsonl.');
    requireKey(request, keyHeader);
    const caller = requestCaller(request, current, keyHeader, settings.upstream);
    const transfer = answers.transfer(response, callers.known(caller, {}).keyDigest);
    running.enter(transfer);
    try {
      await pushLines(request, response, current);
    } catch (error) {
      if (!response.destroyed) throw error;
    } finally {
      running.leave(transfer);
    }
  };

  async function pushLines(request: IncomingMessage, response: ServerResponse, current: CurrentRequest): Promise<void> {
    current.kind = 'mutation';
    const coding =
      settings.server.compression === 'on' ? codingFor(request.headers, Number.POSITIVE_INFINITY) : undefined;
    const headers = { ...uncacheable(settings), 'content-type': 'application/jsonl', 'x-accel-buffering': 'no' };
    const stream = new AnswerStream(response, 200, headers, coding);
    const write = (values: readonly object[]) =>
      answers.writePart(response, async () => {
        await stream.write(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
        await stream.flush();
      });
    const counts: Record<string, number> = { lines: 0, DONE: 0, REPLAYED: 0, REFUSED: 0, UNKNOWN: 0, NOT_TRIED: 0 };
    const end: { complete: boolean; error?: unknown } = { complete: false };
    const count = (results: readonly LineResult[]) => {
      counts.lines = (counts.lines ?? 0) + results.length;
      for (const { status } of results) counts[status] = (counts[status] ?? 0) + 1;
    };
    const lines = linesOf(request, settings.limits.clients.bodyBytes);
    // The lines before one that cannot be read are written.
    let unread: unknown;
    const read = () =>
      nextOf(lines).catch((error: unknown) => {
        unread = error;
        return undefined;
      });
    try {
      for (let next = await read(); next; ) {
        if (host.isClosing())
          throw codedError('OVERLOADED', 'The gateway is shutting down.', { retry_after: retryAfterSeconds() });
        const batch = new Batch(schema, batchRows);
        while (next && batch.add(next)) next = await read();
        batch.requirePlannable();
        const results = await resultsOf(batch, request, response, current);
        count(results);
        await write([...results, { $progress: counts }]);
        // Nobody knows of any of these writes: those after them would fare likewise.
        const isLost = results.every(({ status }) => status === 'UNKNOWN');
        const stopped = isLost ? results[0] : results.find(isOpen);
        if (stopped) throw new GraphQLError(stopped.error?.message ?? '', { extensions: { ...stopped.error } });
      }
      if (unread) throw unread;
      end.complete = true;
    } catch (error) {
      if (response.destroyed) throw error;
      const failure = error instanceof GraphQLError ? error.toJSON() : { message: '' };
      end.error = formatError(failure, error);
    }
    await write([{ $end: { ...counts, ...end } }]);
    await answers.writePart(response, () => stream.end());
    await lines.return(undefined);
    if (!request.complete) discardBody(request);
  }

  /** Sends a batch again while that makes more of its writes. The results are in the order of the lines. */
  async function resultsOf(
    { writes, refused }: Batch,
    request: IncomingMessage,
    response: ServerResponse,
    current: CurrentRequest,
  ): Promise<LineResult[]> {
    const made = new Map<number, LineResult>();
    let left = writes.length;
    for (let before = left + 1; left > 0 && left < before; ) {
      before = left;
      const pushed = await execute(writes, request, response, current);
      for (const [index, { line, input }] of writes.entries()) {
        const { status, object, error } = pushed[index] as PushedWrite;
        const earlier = made.get(line);
        if (earlier && !isOpen(earlier)) continue;
        made.set(line, {
          line,
          key: input.key,
          ...(input.ref && { ref: input.ref }),
          status,
          ...(object && { type: object.__typename, ...(object.id !== undefined && { id: object.id }) }),
          ...(error && { error: shown(error) }),
        });
      }
      left = [...made.values()].filter(isOpen).length;
    }
    return [...made.values(), ...refused].sort((a, b) => a.line - b.line);
  }

  /** One push, with the time, the calls and the memory of an operation. */
  async function execute(
    writes: Batch['writes'],
    request: IncomingMessage,
    response: ServerResponse,
    current: CurrentRequest,
  ): Promise<PushedWrite[]> {
    const ofRequest = traceContextHeaders(request, current);
    const caller = callers.known(requestCaller(request, current, keyHeader, settings.upstream), ofRequest);
    const place = await host.operations.enter(response, caller.share);
    const context = service.open(caller, { ...contextOptions(request), trace: undefined, span: current.span });
    const leave = () => context.scope.leave(clientLeft());
    response.once('close', leave);
    try {
      if (!place || response.destroyed) throw clientLeft();
      const body = { query: document, variables: { writes: writes.map(({ input }) => input) } };
      const asked = { method: 'POST' as const, headers: { 'content-type': 'application/json' }, search: '', body };
      const answer = JSON.parse(String((await host.pipeline.execute(asked, context)).body));
      if (answer.data?.push) return answer.data.push;
      const { message, extensions } = answer.errors[0];
      const error: WriteError = { ...extensions, message };
      return writes.map(() => ({ status: 'NOT_TRIED', object: null, error }));
    } finally {
      response.off('close', leave);
      current.calls += context.calls;
      context.end();
      if (place) host.operations.leave(place);
    }
  }
}

/** The same line may be made later, or has been made already. */
function isOpen({ status, error }: LineResult): boolean {
  return (status === 'NOT_TRIED' || status === 'UNKNOWN') && error?.retryable === true;
}

async function nextOf(lines: AsyncGenerator<Line>): Promise<Line | undefined> {
  const { value, done } = await lines.next();
  return done ? undefined : value;
}
