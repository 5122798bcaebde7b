import type { Server, ServerResponse } from 'node:http';

export interface Drain {
  isClosing(): boolean;
  /** No new requests, then the last answer, then the end; what is not answered within `timeoutMs` is cut. */
  close(timeoutMs: number): Promise<void>;
}

/**
 * Knows the answers in progress, so that closing takes no longer than they do: a client that keeps its connection open,
 * or has opened one and says nothing, would hold the server until the timeout.
 * To be called before the first request, and before its handler is set.
 */
export function drainOnClose(server: Server): Drain {
  // Tables that a set has outgrown hold what was in them, until a full collection. So what is over leaves its entry.
  const inProgress = new Set<{ response: ServerResponse | undefined }>();
  let isClosing = false;
  const closeIfIdle = () => {
    if (isClosing && inProgress.size === 0) server.closeAllConnections();
  };
  server.on('request', (_request, response) => {
    const entry: { response: ServerResponse | undefined } = { response };
    inProgress.add(entry);
    response.on('close', () => {
      entry.response = undefined;
      inProgress.delete(entry);
      closeIfIdle();
    });
    if (isClosing) endConnectionWith(response);
  });
  return {
    isClosing: () => isClosing,
    async close(timeoutMs) {
      isClosing = true;
      for (const { response } of inProgress) if (response) endConnectionWith(response);
      const cut = setTimeout(() => server.closeAllConnections(), timeoutMs);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      closeIfIdle();
      await closed;
      clearTimeout(cut);
    },
  };
}

/** The client is told, so that it sends its next request elsewhere. */
function endConnectionWith(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
