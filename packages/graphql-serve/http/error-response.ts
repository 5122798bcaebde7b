import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type ErrorDetails, type Refusal, retryAfterSeconds } from '@gateway/base';
import { GraphQLError } from 'graphql';
import type { FormatError } from '../operations/errors/format.ts';
import { contentTypeFor } from '../request/accept.ts';
import { discardBody, discardedBody } from '../uploads/request-body.ts';
import { declaresBody, isMultipart } from './body.ts';
import { guarding, send, sendHead } from './response.ts';
import type { UntakenAnswers } from './untaken-answers.ts';

/** Answers a request that failed before its operation ran, and logs an unforeseen error. */
export function sendError(response: ServerResponse, error: unknown, formatError: FormatError): void {
  const { req: request } = response;
  // Logs an unforeseen error even where an answer has begun.
  const text = errorText(error, formatError);
  if (response.headersSent) {
    // A cut connection shows the client that the answer is not whole.
    if (!response.writableEnded) response.destroy();
    return;
  }
  const isUnread = declaresBody(request) && !request.readableEnded;
  // The gateway discards a form up to a bound. A close at once would reset a client that still sends.
  if (isUnread && isMultipart(request)) discardBody(request);
  // The rest of another refused body is not worth its transfer.
  const isCut = isUnread && (discardedBody(request)?.isCut ?? true);
  const retryAfter = error instanceof GraphQLError ? error.extensions.retry_after : undefined;
  const status = statusOf(error);
  const headers: OutgoingHttpHeaders = {
    ...Object.fromEntries(httpOf(error)?.headers ?? []),
    'content-type': contentTypeFor(request.headers.accept),
    ...(isCut && { connection: 'close' }),
    ...(typeof retryAfter === 'number' && { 'retry-after': String(retryAfter) }),
  };
  // A client with Expect does not send, and waits for the close.
  const isSending = isCut && (status === 413 || isMultipart(request)) && request.headers.expect === undefined;
  if (!isSending) {
    send(response, status, headers, text);
    return;
  }
  // The client would lose the answer of a connection that closes before it has sent its body.
  response.setHeader('content-length', Buffer.byteLength(text));
  sendHead(response, status, headers);
  response.write(text);
  discardBody(request).over.then(() => response.end());
}

export function errorText(error: unknown, formatError: FormatError): string {
  return JSON.stringify({ errors: [formatError(error)] });
}

/** The HTTP status of an error from before the operation ran. */
export function statusOf(error: unknown): number {
  return httpOf(error)?.status ?? 500;
}

function httpOf(error: unknown): ErrorDetails['http'] {
  return error instanceof GraphQLError ? (error.extensions.http as ErrorDetails['http']) : undefined;
}

interface RefusedRequest {
  response: ServerResponse;
  id: string;
  refusal: Refusal;
}

/**
 * Sends the answer of a thrown refusal for less CPU. At 2.5 times the load that the gateway can serve, refusals would take
 * all of its time. At the end of a turn of the event loop, all its refusals are written together. They wake a proxy on
 * the same machine once, which costs more than the rest of a refusal.
 */
export function refusalsOf(answers: UntakenAnswers): (request: RefusedRequest) => void {
  const inTurn: RefusedRequest[] = [];

  function sendAll(): void {
    for (const { response, id, refusal } of inTurn.splice(0)) {
      if (response.destroyed) continue;
      const { message, code, status } = refusal;
      const retry_after = retryAfterSeconds();
      const error = { message, extensions: { retryable: true, code, retry_after, request_id: id } };
      const text = JSON.stringify({ errors: [error] });
      response.writeHead(status, {
        ...guarding,
        'content-type': contentTypeFor(response.req.headers.accept),
        'retry-after': String(retry_after),
        'x-request-id': id,
        'content-length': text.length,
      });
      response.end(text, 'latin1');
      answers.watch(response);
    }
  }

  // Node discards the bodies of the requests.
  return (request) => {
    if (inTurn.push(request) === 1) setImmediate(sendAll);
  };
}
