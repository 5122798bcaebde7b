import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { UntakenAnswers } from './untaken-answers.ts';

/** More requests than clients send ahead. Node parses all requests of one read, of up to 64 KiB. */
const maxWaiting = 256;
const readBytes = 64 * 1024;
/** Bytes that a parsed request takes without its body, about. */
const requestBytes = 4 * 1024;

/**
 * Begins the requests of a connection one after the other: each when the client has taken the answer before it. Otherwise
 * one connection could ask for any number of answers, and take none. The gateway reads no more of the connection meanwhile.
 */
export function pipelining(answers: UntakenAnswers) {
  const waiting = new WeakMap<Socket, number>();

  /** Calls `begin` when it is the turn of the request, unless the client leaves before. */
  return async function inOrder(response: ServerResponse, begin: () => void): Promise<void> {
    const { socket } = response.req;
    if (socket.destroyed) return;
    const before = waiting.get(socket) ?? 0;
    if (before === maxWaiting) {
      socket.destroy();
      return;
    }
    waiting.set(socket, before + 1);
    socket.pause();
    const bytes = answers.take(bytesOf(response.req), socket);
    await new Promise((resolve) => {
      response.once('socket', resolve);
      response.req.once('close', resolve);
    });
    answers.release(bytes);
    const left = (waiting.get(socket) ?? 0) - 1;
    waiting.set(socket, left);
    if (left === 0) socket.resume();
    if (!socket.destroyed) begin();
  };
}

function bytesOf({ headers }: IncomingMessage): number {
  // A body without a Content-Length is chunked, if there is one.
  const bodyBytes = Number(headers['content-length'] ?? (headers['transfer-encoding'] ? readBytes : 0));
  return requestBytes + Math.min(bodyBytes, readBytes);
}
