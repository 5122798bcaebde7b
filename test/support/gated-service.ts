import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { type Gateway, startGateway } from './harness.ts';

export interface GatedGateway extends Gateway {
  /** The service behind the gate. */
  upstreamUrl: string;
  /** Each call of the service, as in an answer's `calls`, from the start. */
  arrived: string[];
  /** Reads that the gateway no longer waits for. */
  givenUp: string[];
  /** Calls that are neither answered nor given up. */
  underWay(): number;
  /** From now on these wait at the gate, reads unless said; the others pass. */
  shut(...what: ('reads' | 'writes')[]): void;
  /** Lets all pass that wait, and all that come. */
  open(): void;
  /** Waits for so many calls from the start. */
  untilArrived(count: number): Promise<void>;
}

/** The gateway over a sandbox whose answers to reads can be held back, so that what happens meanwhile needs no clock. */
export async function startGatedGateway(settings: Record<string, string> = {}): Promise<GatedGateway> {
  let sandbox = new URL('http://localhost');
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  let held: ('reads' | 'writes')[] = [];
  const arrived: string[] = [];
  const givenUp: string[] = [];
  let underWay = 0;
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const call = `${method} ${url.slice(sandbox.pathname.length)}`;
    arrived.push(call);
    underWay += 1;
    response.on('close', () => {
      underWay -= 1;
      if (!response.writableFinished) givenUp.push(call);
    });
    if (held.includes(method === 'GET' ? 'reads' : 'writes')) await gate.promise;
    if (response.destroyed) return;
    const passed = send(sandbox.origin + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const upstreamUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const gateway = await startGateway({ upstreamUrl, settings });
  sandbox = new URL(gateway.sandbox.url);
  return {
    ...gateway,
    upstreamUrl,
    arrived,
    givenUp,
    underWay: () => underWay,
    shut(...what) {
      held = what.length > 0 ? what : ['reads'];
      gate = Promise.withResolvers();
    },
    open: () => gate.resolve(),
    untilArrived: (count) => expect.poll(() => arrived.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(count),
    async close() {
      await gateway.close();
      gate.resolve();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
