import type { Server, ServerResponse } from 'node:http';

/** Answers whose clients wait with their bodies. */
const waiting = new WeakSet<ServerResponse>();

/**
 * Lets a client that sends `Expect: 100-continue` keep its body until it is asked for: what is refused is not sent. Node
 * ends such a connection, for the client may send the body nevertheless, and nobody could tell that from a next request.
 */
export function holdBodies(server: Server): void {
  server.on('checkContinue', (request, response) => {
    waiting.add(response);
    server.emit('request', request, response);
  });
}

export function askForBody(response: ServerResponse): void {
  if (waiting.delete(response)) response.writeContinue();
}
