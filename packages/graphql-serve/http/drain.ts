import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';

export interface DrainTimes {
  /** While the server takes all requests, so that a load balancer can choose another server. */
  delayMs: number;
  /** After the delay, for clients that may send over an idle connection before they know that the port is closed. */
  idleMs: number;
  /** After that, for the requests in progress. */
  timeoutMs: number;
}

/** Turns of the event loop. Clients that connect without an end must not keep the port open. */
const mostTurns = 1_000;

/** The state of a server on the way to its close. */
export interface Drain {
  /** A load balancer is to choose another server for new requests. */
  readonly isStopping: boolean;
  /** The port is closed. The server takes requests over open connections, and ends each with its answer. */
  readonly isClosing: boolean;
  /** Call for each request that begins. */
  track(response: ServerResponse): void;
  /** Answers the requests in progress, and closes the server. Resolves with the number of requests that were cut. */
  close(times: DrainTimes): Promise<number>;
}

/**
 * Closes the port of a server, then each connection with its answer. A proxy can send a refused connection's request to
 * another server, and learns from `Connection: close` that it has to. `server.close` would close idle connections at once.
 */
export function drainOnClose(server: Server): Drain {
  // An outgrown table of a Set keeps its entries alive until a full collection. Each entry drops its response itself.
  const inProgress = new Set<{ response: ServerResponse | undefined }>();
  let isStopping = false;
  let isClosing = false;
  let answered = () => {};
  return {
    get isStopping() {
      return isStopping;
    },
    get isClosing() {
      return isClosing;
    },
    track(response) {
      if (isClosing) endConnectionWith(response);
      const entry: { response: ServerResponse | undefined } = { response };
      inProgress.add(entry);
      response.on('close', () => {
        entry.response = undefined;
        inProgress.delete(entry);
        if (isClosing && inProgress.size === 0) answered();
      });
    },
    async close({ delayMs, idleMs, timeoutMs }) {
      isStopping = true;
      if (delayMs > 0) await pause(delayMs);
      const closed = once(server, 'close');
      await closePort(server);
      isClosing = true;
      for (const { response } of inProgress) if (response) endConnectionWith(response);
      if (idleMs > 0) await Promise.race([closed, pause(idleMs)]);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        answered = () => {
          clearTimeout(timer);
          resolve();
        };
        if (inProgress.size === 0) answered();
      });
      const cut = inProgress.size;
      server.close();
      server.closeAllConnections();
      await closed;
      return cut;
    },
  };
}

/** The client sends its next request on another connection. */
function endConnectionWith(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

/**
 * Takes no further connections. A connection that the system has taken, and Node has not, would be reset with its request.
 * The port therefore closes in a turn of the event loop in which no connection came.
 */
async function closePort(server: Server): Promise<void> {
  let hasCome = true;
  const note = () => {
    hasCome = true;
  };
  server.on('connection', note);
  // From one immediate to the next, Node polls the port once.
  await turn();
  for (let turns = 0; hasCome && turns < mostTurns; turns++) {
    hasCome = false;
    await turn();
  }
  server.off('connection', note);
  NetServer.prototype.close.call(server);
}
