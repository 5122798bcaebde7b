import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { UpstreamError } from '@gateway/base';
import {
  type CurrentRequest,
  endSlowest,
  failureStatus,
  guarding,
  type Handler,
  type PartHost,
  patienceMs,
  requireKey,
  sendMethodNotAllowed,
  type Transfer,
} from '@gateway/graphql-serve';
import type { RestService } from '@gateway/rest-graph';
import { fromUpstreamError } from '@gateway/upstream';
import { requireAcceptedKey } from './accepted-key.ts';
import { fileFailure, type MediaAnswer, type MediaFiles, type MediaRequest } from './media-files.ts';
import { mediaPathOf, partName } from './media-path.ts';

/** For the log, which shows the folder alone: the name of a file may be all that protects it. */
const maxNameLength = 100;

/** Headers of a client that ask for a range, or for a file that has changed. */
const conditionNames = ['range', 'if-range', 'if-none-match', 'if-modified-since'] as const;

/** Headers of the service that describe the file. All others stay with the gateway. */
const describingNames = [
  'content-length',
  'content-range',
  'content-encoding',
  'accept-ranges',
  'etag',
  'last-modified',
] as const;

/** A browser may show these. It saves all others, because some could run as a page of the gateway. */
const shownTypes = /^image\/(png|jpeg|gif|webp|avif)(;[^,]*)?$/i;

/**
 * Serves the files of the service, to callers whose key the service accepts. Services give their files to everybody who
 * reaches them. Throws an error that is the answer.
 */
export function mediaEndpoint(
  { upstream, keyHeader }: RestService,
  files: MediaFiles,
  { answers, callerOf, settings }: PartHost,
): Handler {
  const name = keyHeader.toLowerCase();
  const running = new Set<Transfer>();
  const vary = [...new Set(['origin', name, 'accept-language', ...settings.upstream.forwardHeaders])].join(', ');

  /** While no place is free, the client that takes least gives way. */
  async function openInTurn(request: MediaRequest): Promise<MediaAnswer> {
    if (!files.isFull) return files.open(request);
    const makeRoom = () => files.isFull && endSlowest(running);
    makeRoom();
    const timer = setInterval(makeRoom, patienceMs);
    try {
      return await files.open(request);
    } finally {
      clearInterval(timer);
    }
  }

  return async function handle(request, response, current) {
    const { method, headers } = request;
    if (method !== 'GET' && method !== 'HEAD') return sendMethodNotAllowed(response, 'GET, HEAD');
    const log = { folder: '' };
    current.part = { name: partName, log };
    response.setHeader('vary', vary).setHeader('cache-control', 'no-store');
    requireKey(request, keyHeader);
    const { path, query } = mediaPathOf(request);
    log.folder = path.slice(0, path.lastIndexOf('/') + 1).slice(0, maxNameLength);
    const conditions: Record<string, string> = {};
    for (const name of conditionNames) if (headers[name] !== undefined) conditions[name] = String(headers[name]);
    const callerNow = () => callerOf(request, current);
    const client = new AbortController();
    const transfer = answers.transfer(response, String(headers[name]));
    response.once('close', () => client.abort());
    try {
      await requireAcceptedKey(upstream, callerNow(), client.signal);
      const caller = callerNow();
      const answer = await openInTurn({ caller, method, path: path + query, conditions, signal: client.signal });
      const { statusCode, body } = answer;
      const sent = { bytes: 0, isWhole: false };
      current.sent = sent;
      response.writeHead(statusCode, { ...headersOf(answer), 'x-request-id': current.id });
      if (method === 'HEAD' || statusCode > 206) {
        body.dump().catch(() => {});
        response.end();
      } else {
        running.add(transfer);
        const pieces = () => counted(body, sent, { response, signal: client.signal });
        // A client that takes too little loses its connection.
        await answers.writePart(response, () => pipeline(pieces, response));
      }
      sent.isWhole = true;
    } catch (error) {
      if (!(error instanceof UpstreamError)) {
        if (client.signal.aborted) return;
        throw error;
      }
      throw fromUpstreamError(error, { http: { status: failureStatus(error.code) } });
    } finally {
      running.delete(transfer);
    }
  };
}

/** A file that breaks off is an error, which resets the connection. In HTTP/1.0, a close can be the end of a file. */
async function* counted(
  body: AsyncIterable<Buffer>,
  sent: NonNullable<CurrentRequest['sent']>,
  { response, signal }: { response: ServerResponse; signal: AbortSignal },
): AsyncGenerator<Buffer> {
  try {
    for await (const piece of body) {
      sent.bytes += piece.length;
      yield piece;
    }
  } catch (error) {
    const failure = fileFailure(error, true, signal);
    response.req.socket.resetAndDestroy();
    throw failure;
  }
}

function headersOf({ statusCode, headers: given }: MediaAnswer): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {
    ...guarding,
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    // Only the browser of the caller keeps the file, and asks each time whether the file is still the same.
    'cache-control': 'private, no-cache',
  };
  for (const name of describingNames) if (given[name] !== undefined) headers[name] = String(given[name]);
  // The gateway sends no page of the service about a wrong range.
  if (statusCode === 416) headers['content-length'] = 0;
  if (statusCode > 206) return headers;
  const type = String(given['content-type'] ?? 'application/octet-stream');
  const disposition = shownTypes.test(type) ? 'inline' : 'attachment';
  return { ...headers, 'content-type': type, 'content-disposition': disposition };
}
