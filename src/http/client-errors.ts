import { type Server, STATUS_CODES } from 'node:http';
import type { GraphQLError } from 'graphql';
import type { FormatError } from '../error-format.ts';
import { codedError } from '../errors.ts';
import { requestId } from '../request-id.ts';
import { errorText, json, statusOf } from './answer.ts';

/** Answers what does not become a request: bytes that are no HTTP, headers that are too large, or that do not come. */
export function answerClientErrors(server: Server, formatError: FormatError): void {
  server.on('clientError', (cause: NodeJS.ErrnoException, socket) => {
    if (socket.writable && cause.code !== 'ECONNRESET') {
      const id = crypto.randomUUID();
      const error = refusalOf(cause);
      const text = requestId.run(id, errorText, error, formatError);
      const status = statusOf(error);
      const head = [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'connection: close',
        `content-type: ${json['content-type']}`,
        `content-length: ${Buffer.byteLength(text)}`,
        `x-request-id: ${id}`,
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n${text}`);
    }
    socket.destroy(cause);
  });
}

function refusalOf({ code }: NodeJS.ErrnoException): GraphQLError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return codedError('BAD_REQUEST', 'The request did not come in time.', { http: { status: 408 } });
    case 'HPE_HEADER_OVERFLOW':
      return codedError('BAD_REQUEST', 'The address and the headers are too long.', { http: { status: 431 } });
    default:
      return codedError('BAD_REQUEST', 'The request is not valid HTTP.', { http: { status: 400 } });
  }
}
