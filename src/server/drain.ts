import type { Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export interface DrainTimes {
  /** Before the close, while the server takes all requests. */
  delayMs: number;
  /** After the delay, for the requests in progress. */
  timeoutMs: number;
}

/** The state of a server on the way to its close. */
export interface Drain {
  /** A load balancer is to choose another server for new requests. */
  readonly isStopping: boolean;
  /** The server answers only earlier requests, and the paths for the operator. */
  readonly isClosing: boolean;
  /** Call for each request that begins. */
  track(response: ServerResponse): void;
  /** Answers the requests in progress, and closes the server. Resolves with the number of requests that were cut. */
  close(times: DrainTimes): Promise<number>;
}

/**
 * Closes a server as soon as the requests in progress are answered. `server.close` would wait until the timeout for a
 * client that keeps an idle connection open. New connections get an error until the close, because a closed port gives no
 * reason.
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
      // Health checks that never stop must not delay the close.
      if (isClosing) return endConnectionWith(response);
      const entry: { response: ServerResponse | undefined } = { response };
      inProgress.add(entry);
      response.on('close', () => {
        entry.response = undefined;
        inProgress.delete(entry);
        if (isClosing && inProgress.size === 0) answered();
      });
    },
    async close({ delayMs, timeoutMs }) {
      isStopping = true;
      if (delayMs > 0) await pause(delayMs);
      isClosing = true;
      for (const { response } of inProgress) if (response) endConnectionWith(response);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        answered = () => {
          clearTimeout(timer);
          resolve();
        };
        if (inProgress.size === 0) answered();
      });
      const cut = inProgress.size;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
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
