import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

// Private fields of Node.js, for facts that have no public name. Without them all functions still do no harm.

/**
 * The answer that a connection sends now. Node reports invalid bytes for the connection, not for a request. The client
 * would take an error page for the answer to its earlier request.
 */
export function answerInProgress(socket: Duplex): ServerResponse | undefined {
  return (socket as Duplex & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

/** Bytes that the operating system has taken from a socket. `bytesWritten` counts a whole write before the system takes it. */
export function bytesTaken(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize: number } | null };
  return socket.bytesWritten - (handle?.writeQueueSize ?? socket.writableLength);
}

/** Keeps the side of the gateway open where a client has ended its own. */
export function allowHalfOpen(server: Server): void {
  (server as Server & { httpAllowHalfOpen?: boolean }).httpAllowHalfOpen = true;
}
