import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Connections beyond the limit, for health checks and scrapes. */
const reserve = 16;

/**
 * Limits the connections of clients. A few more are reserved for the paths of the operator. A newer connection takes the place
 * of the oldest beyond the limit, so that silent connections block no place.
 */
export class ConnectionLimit {
  readonly #beyond = new Set<Socket>();
  #open = 0;

  constructor(server: Server, max: number) {
    server.on('connection', (socket: Socket) => {
      this.#open += 1;
      socket.once('close', () => {
        this.#open -= 1;
        this.#beyond.delete(socket);
      });
      if (this.#open > max) this.#admitBeyond(socket);
    });
  }

  /** The connection is for the paths of the operator alone. */
  isBeyond(socket: Socket): boolean {
    return this.#beyond.has(socket);
  }

  #admitBeyond(socket: Socket): void {
    const [oldest] = this.#beyond;
    if (oldest && this.#beyond.size === reserve) {
      this.#beyond.delete(oldest);
      oldest.destroy();
    }
    this.#beyond.add(socket);
  }
}
