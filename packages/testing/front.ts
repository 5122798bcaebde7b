import { once } from 'node:events';
import { Agent, createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A port that stays while gateways behind it come and go. */
export interface Front {
  readonly port: number;
  /** The gateway that answers from now on. */
  target: URL;
  /** Breaks off the requests in progress. */
  cut(): void;
  close(): Promise<void>;
}

/** Hands each request to the gateway of the moment, and its answer back, byte for byte. */
export async function openFront(): Promise<Front> {
  const agent = new Agent();
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: 0 }, (request, response) => {
    const { hostname, port } = front.target;
    const { method, url, headers } = request;
    const sent = sendRequest({ agent, hostname, port, method, path: url, headers });
    sent.on('response', (answer) => {
      response.writeHead(answer.statusCode as number, answer.statusMessage, answer.rawHeaders);
      answer.on('error', () => response.destroy()).pipe(response);
    });
    sent.on('error', () => response.destroy());
    response.on('close', () => sent.destroy());
    request.pipe(sent);
  });
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const front: Front = {
    port: (server.address() as AddressInfo).port,
    target: new URL('http://127.0.0.1'),
    cut() {
      server.closeAllConnections();
      agent.destroy();
    },
    async close() {
      server.close();
      front.cut();
    },
  };
  return front;
}
