import { UpstreamError } from './errors.ts';
import type { Abortable, Dispatch, Done, Interceptor, UpstreamRequest, UpstreamResponse } from './request.ts';

/**
 * Joins an equal read of the same caller that is in flight, instead of asking the service again. The read ends early only
 * when its last client leaves. A client that joins shares the deadline, the retries and the error of the read.
 */
export function dedupe(reads: InFlightReads): Interceptor {
  return (next) => {
    const send: Dispatch = (request, done) => {
      if (request.write) return next(request, done);
      const shared = request.isFresh ? undefined : reads.get(request.name);
      if (shared) return shared.join(request, hasTokenOf(shared.request, request) ? done : orOwnToken(request, done));
      const read = reads.open(request);
      read.join(request, done);
      next(request, (error, response) => {
        reads.close(request);
        read.end(error, response);
      });
    };
    /** The read has gone with another token of the caller. The service may accept the own one where it refuses that. */
    function orOwnToken(request: UpstreamRequest, done: Done): Done {
      return (error, response) => {
        const isRefused = error instanceof UpstreamError && error.code === 'UNAUTHENTICATED';
        if (isRefused && request.budget.takeRetry()) send(request, done);
        else done(error, response);
      };
    }
    return send;
  };
}

function hasTokenOf(one: UpstreamRequest, other: UpstreamRequest): boolean {
  return one.caller.tokenDigest === other.caller.tokenDigest;
}

/** The reads in flight, by caller and path. */
export class InFlightReads {
  readonly #entries = new Map<string, Entry>();

  get(name: string): InFlightRead | undefined {
    return this.#entries.get(name)?.read;
  }

  /** The read takes the place of an equal one. */
  open(request: UpstreamRequest): InFlightRead {
    const earlier = this.get(request.name);
    if (earlier) this.close(earlier.request);
    const read = new InFlightRead(request);
    this.#entries.set(request.name, { read });
    return read;
  }

  /** No client joins the read any more. */
  close(request: UpstreamRequest): void {
    request.isLatest = false;
    const entry = this.#entries.get(request.name);
    if (entry?.read?.request !== request) return;
    entry.read = undefined;
    this.#entries.delete(request.name);
  }

  /** Closes the reads of a caller, or of all. */
  closeAll(keyDigest = ''): void {
    for (const [name, { read }] of this.#entries) if (read && name.startsWith(keyDigest)) this.close(read.request);
  }
}

/**
 * V8 leaves the outgrown tables of a busy map behind, and each of them refers to the next. An old table keeps its entries
 * from being collected early, so a closed entry refers to nothing.
 */
interface Entry {
  read: InFlightRead | undefined;
}

const noWaiters: Waiter[] = [];

/** One read, and the clients that wait for it. */
export class InFlightRead {
  readonly request: UpstreamRequest;
  #waiters: Waiter[] = [];

  constructor(request: UpstreamRequest) {
    this.request = request;
    request.waiters = this;
  }

  join(client: UpstreamRequest, done: Done): void {
    const waiter = new Waiter(this, client, done);
    this.#waiters.push(waiter);
    client.signal.add(waiter);
  }

  leave(waiter: Waiter, reason: unknown): void {
    const index = this.#waiters.indexOf(waiter);
    if (index < 0) return;
    this.#waiters.splice(index, 1);
    waiter.done(reason, undefined);
    if (this.#waiters.length === 0) this.request.abort(reason);
  }

  /** Whether a client can wait until `at` and pays for the attempt. Clients that cannot wait get the error. */
  allowRetry(at: number, error: unknown): boolean {
    const { staying = [], leaving = [] } = Object.groupBy(this.#waiters, ({ client }) =>
      at < client.signal.due ? 'staying' : 'leaving',
    );
    if (!staying.some(({ client }) => client.budget.takeRetry())) return false;
    this.#waiters = staying;
    for (const waiter of leaving) waiter.done(error, undefined);
    return true;
  }

  end(error: unknown, response: UpstreamResponse | undefined): void {
    const waiters = this.#waiters;
    this.#waiters = noWaiters;
    for (const waiter of waiters) waiter.done(error, response);
  }
}

/** One client that waits for a read. */
class Waiter implements Abortable {
  readonly client: UpstreamRequest;
  readonly done: Done;
  readonly #read: InFlightRead;

  constructor(read: InFlightRead, client: UpstreamRequest, done: Done) {
    this.#read = read;
    this.client = client;
    this.done = done;
  }

  abort(reason: unknown): void {
    this.#read.leave(this, reason);
  }
}
