import type { FastifyInstance } from 'fastify';

/**
 * Counts the requests in progress, so that closing takes no longer than they do: a client that keeps its connection open,
 * or has opened one and says nothing, would hold the server until the timeout.
 * To be called before the first request. Returns how to close: no new requests, then the last answer, then the end; what
 * is not answered within `timeoutMs` is cut.
 */
export function drainOnClose(app: FastifyInstance): (timeoutMs: number) => Promise<void> {
  let inProgress = 0;
  let isClosing = false;
  const closeIfIdle = () => {
    if (isClosing && inProgress === 0) app.server.closeAllConnections();
  };
  app.addHook('onRequest', (_request, reply, done) => {
    inProgress += 1;
    reply.raw.once('close', () => {
      inProgress -= 1;
      closeIfIdle();
    });
    done();
  });
  return async (timeoutMs) => {
    isClosing = true;
    const cut = setTimeout(() => app.server.closeAllConnections(), timeoutMs);
    const closed = app.close();
    closeIfIdle();
    await closed;
    clearTimeout(cut);
  };
}
