import cluster, { type Worker } from 'node:cluster';
import type { EndpointName } from '../upstream/endpoints.ts';

/** The other workers, which keep reads of the same callers. What both functions take is what `Reads.forget` takes. */
export interface OtherWorkers {
  /** To be called before this worker serves: the others do not wait for a worker that hears nothing yet. */
  listen(forget: (keyDigest: string, endpoint?: EndpointName) => void): void;
  /** Resolves when all the others have forgotten or ended, at the latest after a second. Never rejects. */
  broadcast(keyDigest: string, endpoint?: EndpointName): Promise<void>;
}

/** What is to be forgotten. It names a key by its digest, and returns to the one who tells it with the same token. */
interface Telling {
  token: string;
  keyDigest: string;
  endpoint?: EndpointName | undefined;
}

type FromWorker = { hears: true } | { tell: Telling } | { forgotten: string };
type ToWorker = { forget: Telling } | { told: string };

/**
 * Milliseconds. A worker that is stuck for longer holds up no write; it forgets when it goes on, but may answer what has
 * come to it meanwhile before.
 */
const patience = 1_000;

// A worker that has just gone is seen to be gone soon: until then, messages to it may be lost.
const ignoreLoss = () => {};

/** In the primary process: passes on what one worker tells, and lets it know when all the others have forgotten it. */
export class CacheInvalidation {
  readonly #hearing = new Set<Worker>();
  /** By their tokens, what has been told: by whom, and who has not forgotten it yet. */
  readonly #told = new Map<string, { by: Worker; remembering: Set<Worker> }>();

  connect(worker: Worker): void {
    worker.on('message', (message: FromWorker) => {
      if ('hears' in message) this.#hearing.add(worker);
      if ('tell' in message) this.#pass(message.tell, worker);
      if ('forgotten' in message) this.#forgotten(message.forgotten, worker);
    });
    worker.once('disconnect', () => {
      this.#hearing.delete(worker);
      for (const token of this.#told.keys()) this.#forgotten(token, worker);
    });
  }

  #pass(telling: Telling, by: Worker): void {
    const others = new Set(this.#hearing);
    others.delete(by);
    this.#told.set(telling.token, { by, remembering: others });
    for (const other of others) other.send({ forget: telling } satisfies ToWorker, ignoreLoss);
    // It may be the only worker now.
    this.#forgotten(telling.token, by);
  }

  #forgotten(token: string, worker: Worker): void {
    const told = this.#told.get(token);
    told?.remembering.delete(worker);
    if (told?.remembering.size !== 0) return;
    this.#told.delete(token);
    told.by.send({ told: token } satisfies ToWorker, ignoreLoss);
  }
}

/** In a worker: its way to the others. */
export function otherWorkers(): OtherWorkers {
  const waiting = new Map<string, () => void>();
  const refused = new Map<string, Promise<void>>();
  let count = 0;

  function passOn(keyDigest: string, endpoint?: EndpointName): Promise<void> {
    count += 1;
    const token = `${cluster.worker?.id} ${count}`;
    return new Promise((resolve) => {
      const stop = () => {
        clearTimeout(timer);
        waiting.delete(token);
        resolve();
      };
      const timer = setTimeout(stop, patience);
      waiting.set(token, stop);
      send({ tell: { token, keyDigest, endpoint } });
    });
  }

  return {
    listen(forget) {
      process.on('message', (message: ToWorker) => {
        if ('told' in message) waiting.get(message.told)?.();
        if ('forget' in message) {
          const { token, keyDigest, endpoint } = message.forget;
          forget(keyDigest, endpoint);
          send({ forgotten: token });
        }
      });
      send({ hears: true });
    },
    broadcast(keyDigest, endpoint) {
      if (endpoint) return passOn(keyDigest, endpoint);
      // An operation may have hundreds of calls, which are all refused with the key: one message at a time is enough.
      const told = refused.get(keyDigest) ?? passOn(keyDigest).finally(() => refused.delete(keyDigest));
      refused.set(keyDigest, told);
      return told;
    },
  };
}

function send(message: FromWorker): void {
  process.send?.(message, ignoreLoss);
}
