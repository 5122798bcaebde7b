import type { Carrier } from '../share/carrier.ts';
import type { ChannelToPrimary, ChannelToWorker } from './channel.ts';

/** A worker that is stuck for longer delays no write. */
const timeoutMs = 1_000;

/** In the primary process: passes messages from worker to worker. */
export class Relay {
  /** Addresses of the workers that listen. */
  readonly #ids = new Map<ChannelToWorker, string>();

  add(worker: ChannelToWorker): void {
    worker.handle('listen', (id) => void this.#ids.set(worker, id));
    worker.closed.then(() => this.#ids.delete(worker));
    worker.handle('send', ({ text, to }) => {
      const others = [...this.#ids].filter(([other, id]) => other !== worker && (to === undefined || to === id));
      for (const [other] of others) other.request('message', text).catch(() => {});
      return others.length;
    });
  }
}

/** In a worker: carries messages to the other workers of the primary process. */
export function pipeCarrier(primary: ChannelToPrimary): Carrier {
  return {
    name: 'pipe',
    isUp: true,
    timeoutMs,
    async listen(id, { message, up }) {
      primary.handle('message', message);
      await primary.request('listen', id);
      up();
    },
    send: (text, to) => primary.request('send', { text, to }),
  };
}
