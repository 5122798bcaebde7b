import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { overloaded, type Refusal } from '@gateway/base';
import type { PartHost } from '../part.ts';
import { CurrentRequest, currentRequest } from '../request/current-request.ts';
import type { Traffic } from '../watch/traffic.ts';
import { adminPaths } from './admin.ts';
import { answerClientErrors } from './client-errors.ts';
import { limitConnections } from './connection-limit.ts';
import type { Cors } from './cors.ts';
import { type Drain, drainOnClose } from './drain.ts';
import { refusalsOf, sendError } from './error-response.ts';
import { holdBodies } from './expect-continue.ts';
import { answerHalfOpen } from './half-open.ts';
import { pipelining } from './pipelining.ts';
import { pathOf, requireValidHeaders } from './request.ts';
import type { Handler } from './routes.ts';

export interface HttpServer extends Pick<Drain, 'isStopping' | 'isClosing' | 'close'> {
  port: number;
}

export interface HttpServerOptions extends Pick<PartHost, 'settings' | 'graph' | 'answers' | 'formatError'> {
  /** Undefined if pages of other origins may read no answer. */
  cors: Cors | undefined;
  /** The refusal of a request for an operation that gets no place, before its body is read. */
  refusalOf(request: IncomingMessage, current: CurrentRequest): Refusal | undefined;
  /** Answers a request. The client gets a thrown error with its code and status, or as a masked 500. */
  handle: Handler;
  traffic: Traffic;
}

/** Starts the HTTP server. Rejects for a port in use. */
export async function listen(options: HttpServerOptions): Promise<HttpServer> {
  const { settings, graph, cors, answers, formatError, refusalOf, handle, traffic } = options;
  const { server: address, limits } = settings;
  const server = createServer({
    // Longer than clients and proxies keep a connection. A request on a connection that the server closes is lost.
    keepAliveTimeout: 72_000,
    headersTimeout: limits.clients.headersTimeoutMs,
    requestTimeout: limits.uploads.timeoutMs,
    // requireValidHeaders answers with a code and an id, which Node does not.
    requireHostHeader: false,
    // Milliseconds between Node's checks for late requests.
    connectionsCheckingInterval: 1_000,
  });
  const beyondLimit = limitConnections(server, limits.clients.connections);
  const drain = drainOnClose(server);
  const inOrder = pipelining(answers);
  const refuse = refusalsOf(answers);
  holdBodies(server);
  answerHalfOpen(server);
  answerClientErrors(server, formatError, traffic);
  server.on('request', (request, response) => {
    // Node gives a response its socket when the answers before it are taken.
    if (response.socket) begin(request, response);
    else void inOrder(response, () => begin(request, response));
  });

  function begin(request: IncomingMessage, response: ServerResponse): void {
    const current = new CurrentRequest(idOf(request), request.headers, request.socket);
    const isServed = !drain.isClosing && !beyondLimit.has(request.socket);
    const refusal = isServed ? refusalOf(request, current) : undefined;
    if (!refusal) {
      currentRequest.run(current, respond, request, response, current);
      return;
    }
    cors?.allow(request, response);
    refuse({ response, id: current.id, refusal });
    traffic.begin(current);
    current.noteError(refusal.code);
    traffic.end(current, refusal.status, request.method);
  }

  async function respond(request: IncomingMessage, response: ServerResponse, current: CurrentRequest): Promise<void> {
    drain.track(response);
    try {
      cors?.allow(request, response);
      requireValidHeaders(request, graph.keyHeader);
      if (beyondLimit.has(request.socket)) requireAdmin(request, response);
      await handle(request, response, current);
    } catch (error) {
      sendError(response, error, formatError);
    } finally {
      traffic.end(current, response.headersSent ? response.statusCode : undefined, request.method);
    }
    answers.watch(response);
  }

  server.listen({ host: address.host, port: address.port });
  await once(server, 'listening');
  return Object.assign(drain, { port: (server.address() as AddressInfo).port });
}

/** @throws OVERLOADED (503) */
function requireAdmin(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('connection', 'close');
  if (!adminPaths.has(pathOf(request))) throw overloaded();
}

/** The `x-request-id` of the client, or a new id. Logs and headers show the id. */
function idOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}
