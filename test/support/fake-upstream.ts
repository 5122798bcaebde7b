import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect } from 'vitest';

/** Treatment of a request in place of the service's own answer. */
export interface Reply {
  /** 200 unless given. */
  status?: number;
  /** The content type is JSON unless given. */
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Changes the answer of the service behind, which is JSON, in place. */
  // biome-ignore lint/suspicious/noExplicitAny: tests edit whatever the service sends
  edit?(answer: any): void;
  /** No answer ever comes. */
  stalls?: true;
  /** The connection breaks off instead of an answer. */
  breaks?: true;
}

export interface FakeRequest {
  method: string;
  /** Below the base URL, with the query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Complete where `respond` gets it, and grows where it passes; empty for a GET. */
  body: string;
  /** Connection of the request, for answers that are not HTTP. */
  socket: Socket;
  /** Answers a request that waits. */
  reply(reply: Reply): void;
}

type Respond = (request: FakeRequest) => Reply | undefined | Promise<Reply | undefined>;
type Kind = 'reads' | 'writes';

export interface FakeUpstream extends AsyncDisposable {
  /** Base URL without a slash at its end. */
  url: string;
  /** Requests in the order of their arrival. */
  readonly requests: FakeRequest[];
  /** The same requests, like "GET /supply-chains/farmers/?limit=20&offset=0". */
  readonly calls: string[];
  /** Calls whose connection the gateway closed before their answer. */
  readonly abandoned: string[];
  /** Number of calls that are neither answered nor abandoned. */
  readonly pending: number;
  /** Answers requests that `fail` does not name; what it leaves undefined goes to the service behind. */
  respond: Respond | undefined;
  /** Fails a path whatever its query is, so many times or for good. */
  fail(path: string, fault: Reply & { times?: number }): void;
  /** Ends what `fail` began. */
  recover(): void;
  /** Makes reads, or the given kinds of calls, wait from now on; others pass. */
  hold(...kinds: Kind[]): void;
  /** Lets all calls pass that wait, and all that come. */
  release(): void;
  /** Waits for so many calls since the start or the last `clear`. */
  untilArrived(count: number): Promise<void>;
  /** Empties `requests`, `calls` and `abandoned`. */
  clear(): void;
  close(): Promise<void>;
}

export interface FakeUpstreamOptions {
  /** Base URL of the service behind. Without one, a request that `respond` does not answer waits for `reply`. */
  target?: string;
  respond?: Respond;
  host?: string;
}

/** A whole HTTP answer, for a socket. */
export function httpAnswer(status: number, body: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${status} Said\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Starts a REST service for tests on a free port. It records each request, then answers, holds, fails or passes it on. */
export async function startFakeUpstream(options: FakeUpstreamOptions = {}): Promise<FakeUpstream> {
  const { origin, pathname } = new URL(options.target ?? 'http://127.0.0.1/v1');
  const [requests, calls, abandoned]: [FakeRequest[], string[], string[]] = [[], [], []];
  const faults = new Map<string, Reply & { times?: number }>();
  let { respond } = options;
  let pending = 0;
  let waiting: Kind[] = [];
  let gate = Promise.withResolvers<void>();

  const server = createServer(async (incoming, outgoing) => {
    const request = record(incoming, outgoing);
    if (waiting.includes(request.method === 'GET' ? 'reads' : 'writes')) await gate.promise;
    if (outgoing.destroyed || outgoing.headersSent) return;
    try {
      const fault = nextFault(request.path);
      if (fault) return await deliver(fault, request, outgoing);
      let content: Buffer | undefined;
      if (respond) {
        content = await buffer(incoming);
        request.body = content.toString();
        const reply = await respond(request);
        if (reply) return await deliver(reply, request, outgoing);
      }
      if (options.target !== undefined) pass(request, content ?? incoming, outgoing);
    } catch {
      // The gateway or the service behind broke off.
      outgoing.destroy();
    }
  }).listen(0, options.host ?? '127.0.0.1');
  await once(server, 'listening');
  const { address, port } = server.address() as AddressInfo;

  function record({ method = 'GET', url = '/', headers, socket }: IncomingMessage, outgoing: ServerResponse) {
    const path = url.slice(pathname.length);
    const call = `${method} ${path}`;
    const reply = (answer: Reply) => void deliver(answer, request, outgoing);
    const request: FakeRequest = { method, path, headers, body: '', socket, reply };
    requests.push(request);
    calls.push(call);
    pending += 1;
    outgoing.on('close', () => {
      pending -= 1;
      if (!outgoing.writableFinished) abandoned.push(call);
    });
    return request;
  }

  function nextFault(path: string): Reply | undefined {
    const name = path.replace(/\?.*/, '');
    const fault = faults.get(name);
    if (fault?.times !== undefined && --fault.times === 0) faults.delete(name);
    return fault;
  }

  async function deliver(reply: Reply, request: FakeRequest, outgoing: ServerResponse) {
    const { method, path, headers, body, socket } = request;
    const type = { 'content-type': 'application/json' };
    if (reply.breaks) socket.destroy();
    else if (reply.edit) {
      const { authorization = '', 'content-type': sent } = headers;
      const answer = await fetch(origin + pathname + path, {
        method,
        headers: { authorization, ...(sent && { 'content-type': sent }) },
        ...(body && { body }),
      });
      const json = await answer.json();
      reply.edit(json);
      outgoing.writeHead(answer.status, type).end(JSON.stringify(json));
    } else if (!reply.stalls) outgoing.writeHead(reply.status ?? 200, { ...type, ...reply.headers }).end(reply.body);
  }

  function pass(request: FakeRequest, content: Buffer | IncomingMessage, outgoing: ServerResponse) {
    const { method, path, headers } = request;
    const passed = send(origin + pathname + path, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    if (Buffer.isBuffer(content)) passed.end(content);
    else content.on('data', (chunk) => (request.body += chunk)).pipe(passed);
  }

  async function close(): Promise<void> {
    gate.resolve();
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }

  return {
    url: `http://${address}:${port}${pathname}`,
    requests,
    calls,
    abandoned,
    get pending() {
      return pending;
    },
    get respond() {
      return respond;
    },
    set respond(next) {
      respond = next;
    },
    fail: (path, fault) => void faults.set(path, { ...fault }),
    recover: () => faults.clear(),
    hold(...kinds) {
      waiting = kinds.length > 0 ? kinds : ['reads'];
      gate = Promise.withResolvers();
    },
    release() {
      waiting = [];
      gate.resolve();
    },
    untilArrived: (count) => expect.poll(() => calls.length, { interval: 5 }).toBeGreaterThanOrEqual(count),
    clear() {
      for (const list of [requests, calls, abandoned]) list.length = 0;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
