import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { shareAnswer } from '@gateway/base';
import { CurrentRequest, currentRequest } from '../request/current-request.ts';
import { json, plainText, send, sendMethodNotAllowed } from './response.ts';
import type { Route } from './routes.ts';

/** A load balancer sends new requests to a gateway that is `ready`. */
export type Readiness = 'starting' | 'ready' | 'stopping';

/** Facts about a gateway for its operator. */
export interface Admin {
  readiness(): Readiness;
  /** The process does what it has to do. Absent where the answer itself shows that. */
  isAlive?(): boolean;
  /** The text of /metrics, in the format of Prometheus. */
  metrics(): Promise<string>;
}

/** Written here, because the thread that answers does not load prom-client. */
const prometheusText = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };

/** Paths for the operator: read only, and answered over open connections until the server has closed. */
export const adminPaths: ReadonlySet<string> = new Set(['/health/live', '/health/ready', '/metrics']);

/** Without metrics, the health checks alone. */
export function adminRoutes({ readiness, isAlive, metrics }: Omit<Admin, 'metrics'> & Partial<Admin>): Route[] {
  const route = (path: string, answer: (response: ServerResponse) => void | Promise<void>): Route => ({
    path,
    handle({ method }, response) {
      if (method !== 'GET' && method !== 'HEAD') return sendMethodNotAllowed(response, 'GET, HEAD');
      return answer(response);
    },
  });
  const health = (path: string, statusNow: () => Readiness | 'live' | 'stuck') =>
    route(path, (response) => {
      const status = statusNow();
      send(response, status === 'ready' || status === 'live' ? 200 : 503, json, JSON.stringify({ status }));
    });
  return [
    health('/health/live', () => (isAlive?.() === false ? 'stuck' : 'live')),
    // A service that is down does not make the gateway unready: the load balancer would drop all gateways at once.
    health('/health/ready', readiness),
    ...(metrics ? [route('/metrics', async (response) => send(response, 200, prometheusText, await metrics()))] : []),
  ];
}

export interface AdminServer {
  port: number;
  close(): void;
}

/** Serves the `adminPaths` on a port of their own. Rejects for a port in use. */
export async function listenForAdmin(address: { host: string; port: number }, admin: Admin): Promise<AdminServer> {
  const routes = adminRoutes({ ...admin, metrics: promptly(admin.metrics) });
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 4_000 }, (request, response) => {
    const current = new CurrentRequest(crypto.randomUUID());
    currentRequest.run(current, async () => {
      const path = request.url?.replace(/\?.*/, '') ?? '';
      const route = routes.find((each) => each.path === path);
      if (!route) return send(response, 404, plainText, `There is only ${[...adminPaths].join(', ')}.\n`);
      try {
        await route.handle(request, response, current);
      } catch (error) {
        send(response, 500, plainText, `${(error as Error).message}\n`);
      }
    });
  });
  server.listen(address);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const promptMs = 150;

/** A busy gateway is late with its figures. Somebody who looks gets the last figures then. */
function promptly(read: () => Promise<string>): () => Promise<string> {
  let last: string | undefined;
  const fresh = shareAnswer(async () => {
    last = await read();
    return last;
  });
  // The first scrape has figures to fall back on too.
  fresh().catch(() => {});
  return () => Promise.race([fresh(), pause(promptMs).then(() => last ?? fresh())]);
}
