import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { allowHalfOpen, answerInProgress } from './node-internals.ts';

/** After so long without a byte, a client that has ended its side of a streamed answer has left. */
const silenceMs = 2_000;

/**
 * Answers a client that ends its side of the connection after its request. A client that has left looks the same until the
 * gateway writes. Then its system resets the connection, and the next write fails. Until the answer is there, the gateway
 * therefore writes 102, which clients skip (RFC 9110, section 15.2). A client that ends its side in the middle of a
 * streamed answer has left once the stream is silent.
 */
export function answerHalfOpen(server: Server): void {
  allowHalfOpen(server);
  server.on('connection', (socket) => {
    socket.once('end', async () => {
      const response = answerInProgress(socket);
      if (!response) return;
      let written = -1;
      while (response.headersSent && !response.writableEnded) {
        if (written === socket.bytesWritten && socket.writableLength === 0) return void socket.destroy();
        written = socket.bytesWritten;
        await pause(silenceMs, undefined, { ref: false });
      }
      // HTTP/1.0 has no such statuses.
      if (response.req.httpVersion === '1.0') return;
      // The first pauses are long enough for a client nearby, the later ones for a client far away.
      for (let pauseMs = 10; !response.headersSent && !response.destroyed; pauseMs *= 4) {
        response.writeProcessing();
        await pause(pauseMs, undefined, { ref: false });
      }
    });
  });
}
