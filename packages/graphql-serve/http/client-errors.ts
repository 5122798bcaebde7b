import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { badRequest } from '@gateway/base';
import type { GraphQLError } from 'graphql';
import type { FormatError } from '../operations/errors/format.ts';
import { CurrentRequest, currentRequest } from '../request/current-request.ts';
import type { Traffic } from '../watch/traffic.ts';
import { errorText, statusOf } from './error-response.ts';
import { answerInProgress } from './node-internals.ts';
import { guarding, json } from './response.ts';

/** Answers input that does not become a request: bytes that are not HTTP, and headers too large or too late. */
export function answerClientErrors(server: Server, formatError: FormatError, traffic: Traffic): void {
  const waiting = new WeakSet<Duplex>();

  server.on('clientError', (cause: NodeJS.ErrnoException, socket) => {
    const before = answerInProgress(socket);
    // The client would take a refusal for the answer to its earlier request.
    if (!before?.req.complete || socket.destroyed) {
      // The rest of a request that has its answer gets no second one.
      return before?.headersSent ? socket.destroy(cause) : refuse(cause, socket);
    }
    if (waiting.has(socket)) return;
    waiting.add(socket);
    before.once('close', () => {
      waiting.delete(socket);
      // One of several earlier answers may have ended the connection.
      if (!socket.writableEnded) server.emit('clientError', cause, socket);
    });
  });

  function refuse(cause: NodeJS.ErrnoException, socket: Duplex): void {
    if (socket.writable && cause.code !== 'ECONNRESET') {
      const request = new CurrentRequest(crypto.randomUUID());
      const error = refusalOf(cause);
      const text = currentRequest.run(request, errorText, error, formatError);
      const status = statusOf(error);
      const head = [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'connection: close',
        ...Object.entries({ ...guarding, ...json }).map(([name, value]) => `${name}: ${value}`),
        `content-length: ${Buffer.byteLength(text)}`,
        `x-request-id: ${request.id}`,
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n${text}`);
      traffic.end(request, status);
    }
    socket.destroy(cause);
  }
}

function refusalOf({ code }: NodeJS.ErrnoException): GraphQLError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return badRequest('The request did not come in time.', 408);
    case 'HPE_HEADER_OVERFLOW':
      return badRequest('The address and the headers are too long.', 431);
    default:
      return badRequest('The request is not valid HTTP.');
  }
}
