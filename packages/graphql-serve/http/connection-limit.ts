import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Connections beyond the limit, for health checks and scrapes. */
const reserve = 16;

/**
 * Limits the connections of clients. A few more are reserved for the paths of the operator. A newer connection takes the place
 * of the oldest beyond the limit, so that silent connections block no place. Returns the connections beyond the limit.
 */
export function limitConnections(server: Server, max: number): ReadonlySet<Socket> {
  const beyond = new Set<Socket>();
  let open = 0;
  server.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
      beyond.delete(socket);
    });
    if (open <= max) return;
    const [oldest] = beyond;
    if (oldest && beyond.size === reserve) {
      beyond.delete(oldest);
      oldest.destroy();
    }
    beyond.add(socket);
  });
  return beyond;
}
