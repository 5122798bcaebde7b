import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { errorFormatter } from '../graphql/errors/format.ts';
import { CurrentRequest, currentRequest } from '../observability/current-request.ts';
import { answerClientErrors } from './client-errors.ts';
import type { Cors } from './cors.ts';
import { type Drain, drainOnClose } from './drain.ts';
import { holdBodies } from './expect-continue.ts';
import { requireHost } from './host.ts';
import { bytesTaken } from './node-internals.ts';
import { sendError } from './response.ts';

export interface HttpServer {
  port: number;
  close: Drain['close'];
}

export interface HttpServerOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Milliseconds for a client to send the headers of a request, and less than those for the whole of it. */
  headersTimeout: number;
  requestTimeout: number;
  /** Absent where pages of other origins may read nothing. */
  cors: Cors | undefined;
  /** Milliseconds for which a client may take nothing of an answer. */
  answerTimeout: number;
  /** Those beyond are closed as they come. */
  maxConnections: number;
  logger: Logger;
  /** Answers a request. What it throws is the answer: an error with a code and a status, or a masked 500. */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    state: { current: CurrentRequest; drain: Drain },
  ): Promise<void>;
  /** Hears of every request that is over: the status of its answer, if its client has stayed for it. */
  ended(request: CurrentRequest, status: number | undefined, method?: string): void;
}

/** Rejects where the port is taken. */
export async function listen({
  host,
  port,
  cors,
  maxConnections,
  answerTimeout,
  logger,
  handle,
  ended,
  ...timeouts
}: HttpServerOptions): Promise<HttpServer> {
  const formatError = errorFormatter(logger);
  const server = createServer({
    // Longer than clients and proxies keep theirs: a request on a connection that closes meanwhile would be lost.
    keepAliveTimeout: 72_000,
    ...timeouts,
    // Node's own refusal has neither a code nor an id.
    requireHostHeader: false,
    // How often Node looks for requests whose time is over.
    connectionsCheckingInterval: 1_000,
  });
  server.maxConnections = maxConnections;
  const drain = drainOnClose(server);
  holdBodies(server);
  answerClientErrors(server, formatError, ended);
  server.on('request', (request, response) => {
    const current = new CurrentRequest(idOf(request));
    currentRequest.run(current, respond, request, response, current);
  });

  async function respond(request: IncomingMessage, response: ServerResponse, current: CurrentRequest): Promise<void> {
    try {
      cors?.allow(request, response);
      requireHost(request);
      await handle(request, response, { current, drain });
    } catch (error) {
      sendError(request, response, error, formatError);
    } finally {
      ended(current, response.headersSent ? response.statusCode : undefined, request.method);
    }
    if (!isHandedOver(response)) cutAfter(answerTimeout, response);
  }

  server.listen({ host, port });
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: drain.close };
}

/** Nothing of the answer is left here: the system has taken all of it, as it does at once with most. */
function isHandedOver({ writableFinished, writableEnded, socket }: ServerResponse): boolean {
  // Without a socket it waits behind an earlier answer.
  return writableFinished || (writableEnded && socket?.writableLength === 0);
}

/** A client that asks and does not read would have its answer kept for ever, with nothing to be seen on the connection. */
function cutAfter(milliseconds: number, response: ServerResponse): void {
  if (response.destroyed) return;
  const { socket } = response.req;
  let before = bytesTaken(socket);
  let since = performance.now();
  const timer = setInterval(
    () => {
      const taken = bytesTaken(socket);
      // Closed otherwise, the system would keep on trying to send what it has got of the answer.
      if (taken === before && performance.now() - since >= milliseconds) socket.resetAndDestroy();
      if (taken !== before) since = performance.now();
      before = taken;
    },
    Math.min(milliseconds, 1_000),
  );
  response.once('close', () => clearInterval(timer));
}

/** A caller's own id is kept, so that its logs and ours can be read together; it goes into logs and headers as it is. */
function idOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : crypto.randomUUID();
}
