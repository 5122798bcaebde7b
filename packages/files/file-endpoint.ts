import type { ServerResponse } from 'node:http';
import { badRequest, codedError, retryAfterSeconds } from '@gateway/base';
import {
  type AnswerFormat,
  type CurrentRequest,
  failureStatus,
  type GraphQLHttpRequest,
  type PartHost,
  refusalStatus,
  send,
  TransferLimit,
} from '@gateway/graphql-serve';
import type { RestService } from '@gateway/rest-graph';
import { GraphQLError } from 'graphql';
import type { FileEnd, FileFormat } from './file-format.ts';
import type { FileKind, OpenFile } from './file-kind.ts';
import type { RowSource } from './row-source.ts';
import { type FilePart, type FileSettings, WindowReader } from './window-reader.ts';

interface TakenPart extends FilePart {
  /** Bytes that count as untaken until they are written. */
  taken: number;
}

const noEstimate =
  'X-Trace-Upstream: estimate runs nothing, so there is no file to send. Ask for the estimate with Accept: application/json.';

/** The rows of the whole list, for the progress that a client shows. */
export const totalHeader = 'x-total-count';

/** A client of this media type reads the status of a refusal. */
const refusalAccept = 'application/graphql-response+json';

/** Sends a list as a file, window by window, as its client takes them. Throws an error that is the answer. */
export function fileEndpoint(
  service: RestService,
  host: PartHost,
  settings: FileSettings,
  kinds: ReadonlyMap<string, FileKind>,
): AnswerFormat['run'] {
  const { pipeline, answers, isClosing, unshared, formatError } = host;
  const running = new TransferLimit(settings.files, { isQuarterStrict: true });

  return async function sendFile(request, response, current, asked, mediaType) {
    // A token that the service has not accepted yet is a caller of its own.
    const { keyDigest } = host.callerOf(request, current);
    const transfer = answers.transfer(response, keyDigest);
    running.enter(transfer);
    try {
      const reader = new WindowReader({ service, host, formatError, settings }, request, response, current);
      const file = await open(kinds.get(mediaType) as FileKind, reader, response, asked, mediaType);
      if (file) await sendWindows(file.rows, file.format, reader, response, current);
    } catch (error) {
      if (!response.destroyed) throw error;
    } finally {
      running.leave(transfer);
    }
  };

  /** Checks the operation. Undefined where the answer is a refusal. */
  async function open(
    kind: FileKind,
    reader: WindowReader,
    response: ServerResponse,
    asked: GraphQLHttpRequest,
    mediaType: string,
  ): Promise<OpenFile | undefined> {
    const headers = { ...asked.headers, accept: refusalAccept };
    const opened = await reader.run((context) =>
      pipeline.open({ ...asked, headers }, context, (args) => {
        if (context.isEstimate) throw badRequest(noEstimate);
        return kind.open(service, args, mediaType);
      }),
    );
    if ('admitted' in opened) return opened.admitted;
    const { status, headers: own, body: text } = opened.refusal;
    send(response, status, { ...Object.fromEntries(own), ...unshared }, text);
    return undefined;
  }

  async function sendWindows(
    list: RowSource,
    format: FileFormat,
    reader: WindowReader,
    response: ServerResponse,
    current: CurrentRequest,
  ): Promise<void> {
    current.kind = 'file';
    current.operationName = list.operationName;
    if (current.span) current.span.tree = list.tree;
    const first = await reader.read(list, format, list.after, list.maxRows).catch((error) => {
      throw withStatus(error);
    });
    first.text = Buffer.concat([Buffer.from(format.head), first.text]);
    current.hasData = true;
    const headers = {
      'content-type': format.contentType,
      ...(first.total !== undefined && { [totalHeader]: String(first.total) }),
      'content-disposition': `attachment; filename="${list.operationName ?? list.name}.${format.extension}"`,
    };
    const stream = host.stream(response, current, headers);
    const sent = Object.assign(stream.sent, { rows: 0 });
    const end: FileEnd = { rows: 0, errors: 0, complete: true, cursor: list.after };
    let left = list.maxRows;
    for (let part: TakenPart | undefined = await hold(first); part; ) {
      left -= part.asked;
      end.rows += part.rows;
      end.errors += part.errors;
      end.cursor = part.hasNext ? part.cursor : null;
      end.complete &&= part.isCertain && (end.cursor !== null || !part.hasNext || left === 0);
      // The gateway reads one window ahead of the client.
      const ahead: Promise<TakenPart | undefined> | undefined =
        end.cursor !== null && left > 0 ? readNext(end.cursor) : undefined;
      try {
        await stream.write(part.text);
      } catch (error) {
        ahead?.then((next) => answers.release(next?.taken ?? 0));
        throw error;
      } finally {
        answers.release(part.taken);
      }
      sent.rows += part.rows;
      part = await ahead;
    }
    await stream.write(format.end(end));
    await stream.end();

    async function hold(part: FilePart): Promise<TakenPart> {
      return { ...part, taken: await answers.hold(part.text.length) };
    }

    async function readNext(cursor: string): Promise<TakenPart | undefined> {
      try {
        if (isClosing()) throw closing();
        return await hold(await reader.read(list, format, cursor, left));
      } catch (error) {
        end.complete = false;
        end.errors += 1;
        end.error = formatError(error);
        return undefined;
      }
    }
  }
}

function closing(): GraphQLError {
  return codedError('OVERLOADED', 'The gateway is shutting down.', { retry_after: retryAfterSeconds() });
}

/** The status of a list that fails before its first row. */
function withStatus(error: unknown): unknown {
  if (!(error instanceof GraphQLError)) return error;
  const { code, http } = error.extensions as { code?: unknown; http?: { status: number } };
  const status = refusalStatus(http?.status ?? failureStatus(code), refusalAccept, { code });
  return new GraphQLError(error.message, {
    originalError: error.originalError,
    extensions: { ...error.extensions, http: { status } },
  });
}
