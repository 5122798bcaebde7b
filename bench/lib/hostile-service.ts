import { Agent, createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HostileService {
  /** The UPSTREAM_URL of a gateway. */
  url: string;
}

/** Keys whose owners the service serves in a way of its own. */
export const hostileKeys = {
  /** Every answer goes on for as long as somebody takes it. */
  endless: 'endless',
  /** Every company has 2,000 members. */
  manyMembers: 'many-members',
  /** Every answer is 500 MB long, and says so. */
  gigantic: 'gigantic',
};

const piece = Buffer.alloc(64 * 1024, 'a');
const giganticBytes = 500_000_000;
const members = Array.from({ length: 2_000 }, (_, i) => ({
  id: `M${i}`,
  first_name: `Member ${i}`,
  last_name: 'Many',
}));

/** The service at `target`, for all but the hostile keys. A long id is a 500, as of a real deployment. */
export async function startHostileService(target: string): Promise<HostileService> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const { hostname, port } = new URL(target);
  const server = createServer((request, response) => {
    const { method, url: path = '', headers } = request;
    switch (headers.authorization) {
      case hostileKeys.endless:
        response.writeHead(200, { 'content-type': 'application/json' });
        return goOn(Number.POSITIVE_INFINITY);
      case hostileKeys.gigantic:
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': giganticBytes });
        return goOn(giganticBytes);
      case hostileKeys.manyMembers:
        response.writeHead(200, { 'content-type': 'application/json' });
        return void response.end(
          JSON.stringify(path.includes('companies') ? { id: 'C1', name: 'Many', members } : farmers),
        );
    }
    if (path.length > 1_000) return void response.writeHead(500).end('{}');
    const outgoing = send({ agent, hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    request.pipe(outgoing);

    function goOn(left: number): void {
      while (left > 0) {
        left -= piece.length;
        if (!response.write(piece)) return void response.once('drain', () => goOn(left));
      }
      response.end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${address.port}${new URL(target).pathname}` };
}

const farmers = {
  count: 1_000,
  next: null,
  previous: null,
  results: Array.from({ length: 1_000 }, (_, i) => ({ id: `F${i}`, first_name: `Farmer ${i}`, buyer: 'C1' })),
};
