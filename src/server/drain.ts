import type { Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export interface DrainTimes {
  /** Milliseconds for which a server that is about to stop still takes all requests. */
  delay: number;
  /** Milliseconds that requests in progress have after that. */
  timeout: number;
}

/** How far a server is on its way to its end. */
export interface Drain {
  /** It will stop: whoever chooses a server for new requests is to choose another one. */
  readonly isStopping: boolean;
  /** Only what was begun before is answered, and what asks how the server fares. */
  readonly isClosing: boolean;
  /** Answers what is in progress, then ends. How many requests were cut. */
  close(times: DrainTimes): Promise<number>;
}

/**
 * Knows the answers in progress, so that closing takes no longer than they do: a client that keeps its connection open,
 * or has opened one and says nothing, would hold the server until the timeout. Until the end new connections are taken,
 * for a closed port would not say why it is closed.
 * To be called before the first request, and before its handler is set.
 */
export function drainOnClose(server: Server): Drain {
  // Tables that a set has outgrown hold what was in them, until a full collection. So what is over leaves its entry.
  const inProgress = new Set<{ response: ServerResponse | undefined }>();
  let isStopping = false;
  let isClosing = false;
  let answered = () => {};
  server.on('request', (_request, response) => {
    // Questions that come all the time must not keep the server from its end.
    if (isClosing) {
      endConnectionWith(response);
      return;
    }
    const entry: { response: ServerResponse | undefined } = { response };
    inProgress.add(entry);
    response.on('close', () => {
      entry.response = undefined;
      inProgress.delete(entry);
      if (isClosing && inProgress.size === 0) answered();
    });
  });
  return {
    get isStopping() {
      return isStopping;
    },
    get isClosing() {
      return isClosing;
    },
    async close({ delay, timeout }) {
      isStopping = true;
      if (delay > 0) await pause(delay);
      isClosing = true;
      for (const { response } of inProgress) if (response) endConnectionWith(response);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeout);
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

/** The client is told, so that it sends its next request elsewhere. */
function endConnectionWith(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
