import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Row } from './rest-reads.ts';

/** How a path misbehaves. */
export interface Fault {
  /** What is answered in the service's place; 200 unless said. */
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** Changes the service's own answer in place. */
  edit?(answer: Row): void;
  /** There is never an answer. */
  stalls?: true;
  /** The connection is broken off instead of an answer. */
  breaks?: true;
  /** How many calls it happens to; all unless said. */
  times?: number;
}

export interface UnreliableService {
  url: string;
  /** Each call, as in an answer's `calls`. */
  calls: string[];
  /** Makes a path misbehave, whatever its query is. */
  fail(path: string, fault: Fault): void;
  mend(): void;
  close(): Promise<void>;
}

/** Stands between the gateway and a service, whose URL may be known only after this one. Reads only. */
export async function startUnreliableService(target: () => string): Promise<UnreliableService> {
  const faults = new Map<string, Fault>();
  const calls: string[] = [];
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', target());
    const path = pathname.slice(new URL(target()).pathname.length);
    calls.push(`${request.method} ${path}${search}`);
    const fault = faults.get(path);
    if (fault?.times !== undefined && --fault.times === 0) faults.delete(path);
    const { status = 200, headers, body, edit, stalls, breaks } = fault ?? {};
    if (breaks) request.socket.destroy();
    if (stalls || breaks) return;
    const type = { 'content-type': 'application/json' };
    if (body !== undefined || status !== 200) return response.writeHead(status, { ...type, ...headers }).end(body);
    const { authorization = '' } = request.headers;
    const answer = await fetch(target() + path + search, { headers: { authorization } });
    const json = (await answer.json()) as Row;
    edit?.(json);
    response.writeHead(answer.status, type).end(JSON.stringify(json));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    fail: (path, fault) => faults.set(path, { ...fault }),
    mend: () => faults.clear(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
