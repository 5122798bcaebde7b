import { EventEmitter } from 'node:events';
import type { Carrier } from '../../packages/replicas/share/carrier.ts';
import { Channel } from '../../packages/replicas/workers/channel.ts';
import { pipeCarrier, Relay } from '../../packages/replicas/workers/pipe-carrier.ts';

/** One end of a pipe, which hands messages to the other end in a later turn, as JSON. */
class PipeEnd extends EventEmitter {
  other!: PipeEnd;

  send(message: unknown, done: (error: Error | null) => void): void {
    const text = JSON.stringify(message);
    setImmediate(() => this.other.emit('message', JSON.parse(text)));
    done(null);
  }
}

/** Makes a carrier for each gateway of this process, as workers have one. */
export function linkedCarriers(): () => Carrier {
  const relay = new Relay();
  return () => {
    const [primary, worker] = [new PipeEnd(), new PipeEnd()];
    primary.other = worker;
    worker.other = primary;
    relay.add(new Channel(primary));
    return pipeCarrier(new Channel(worker));
  };
}
