import type { Server, ServerResponse } from 'node:http';

/** Answers whose clients wait with their bodies, and whether their connections may be used again. */
const waiting = new WeakMap<ServerResponse, boolean>();

/** Lets a client that sends `Expect: 100-continue` keep its body until it is asked for: what is refused is not sent. */
export function holdBodies(server: Server): void {
  server.on('checkContinue', (request, response) => {
    waiting.set(response, response.shouldKeepAlive);
    // A refused client may send its body nevertheless, and nobody could tell that from its next request.
    response.shouldKeepAlive = false;
    server.emit('request', request, response);
  });
}

export function askForBody(response: ServerResponse): void {
  const shouldKeepAlive = waiting.get(response);
  if (shouldKeepAlive === undefined) return;
  response.shouldKeepAlive = shouldKeepAlive;
  response.writeContinue();
}
