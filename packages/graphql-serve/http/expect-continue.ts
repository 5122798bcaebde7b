import type { Server, ServerResponse } from 'node:http';

/** Responses to clients that have not sent their bodies yet. */
const waiting = new WeakSet<ServerResponse>();

/**
 * Lets a client with `Expect: 100-continue` send its body only after `askForBody`, so that no refused body is sent. Node
 * closes the connection after a refusal: a body that comes late would look like a new request.
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
