import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach } from 'vitest';

interface Sent {
  method: string;
  /** Path and query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** JSON, or the text of a form; undefined without a body. */
  body: unknown;
}

interface Answered {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export interface OtherService {
  url: string;
  /** The requests of the gateway, in order. */
  requests: Sent[];
}

const opened: { close(): unknown }[] = [];
afterEach(() => opened.splice(0).forEach((server) => void server.close()));

/** Starts a service of JSON on a free port. Its base path is that of `base`. */
export async function startService(
  base: string,
  answer: (request: Sent) => Answered | Promise<Answered>,
): Promise<OtherService> {
  const requests: Sent[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    const isForm = headers['content-type']?.startsWith('multipart/');
    const parsed = isForm ? body : body === '' ? undefined : JSON.parse(body);
    const sent = { method, path: url, headers, body: parsed };
    requests.push(sent);
    const answered = await answer(sent);
    response.writeHead(answered.status, { 'content-type': 'application/json', ...answered.headers });
    response.end(JSON.stringify(answered.body));
  });
  server.listen(0, '127.0.0.1');
  opened.push(server);
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${new URL(base).pathname}`, requests };
}

/** Asks the sandbox at this address. */
export async function ask(sandboxUrl: string, { method, path, body }: Sent, headers: HeadersInit): Promise<Answered> {
  const answer = await fetch(new URL(sandboxUrl).origin + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}
