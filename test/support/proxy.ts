import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ProxiedRequest {
  method: string;
  /** Below the base URL, with the query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Empty for a GET. */
  body: string;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body: string;
}

export interface UpstreamProxy {
  /** Stands for the URL of the service behind it. */
  url: string;
  /** What to answer in the service's place; `reset` breaks the connection off, undefined lets the request pass. */
  intercept: (request: ProxiedRequest) => Reply | 'reset' | undefined;
  requests: ProxiedRequest[];
  close(): Promise<void>;
}

/** Stands before a service, keeps what it is sent, and can answer in its place. */
export async function startProxy(target: string): Promise<UpstreamProxy> {
  const { origin, pathname } = new URL(target);
  const proxy: UpstreamProxy = { url: '', intercept: () => undefined, requests: [], close };
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const content = Buffer.concat(chunks);
    const { method = 'GET', url = '/', headers } = incoming;
    const request = { method, path: url.slice(pathname.length), headers, body: content.toString() };
    proxy.requests.push(request);
    const reply = proxy.intercept(request);
    if (reply === 'reset') {
      incoming.socket.destroy();
    } else if (reply) {
      outgoing.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(reply.body);
    } else {
      const passed = send(origin + url, { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      });
      passed.on('error', () => outgoing.destroy());
      passed.end(content);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`;
  return proxy;

  async function close() {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}
