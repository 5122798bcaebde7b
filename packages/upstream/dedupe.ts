import { UpstreamError } from '@gateway/base';
import type { Abortable, Done, UpstreamRequest, UpstreamResponse } from './request.ts';

/** Sends the requests of clients, and calls `done`, possibly before it returns. */
export type Send = (request: UpstreamRequest, done: Done) => void;

/** Sends a read, and ends it. */
export type SendRead = (read: InFlightRead) => SentRead;

export interface SentRead extends Abortable {
  /** The trace context of the current call. */
  readonly traceparent: string | undefined;
}

/**
 * Joins an equal read of the same caller that is in flight, instead of asking the service again. The read ends early only
 * when its last client leaves. A client that joins shares the deadline, the retries and the error of the read.
 */
export function dedupe(reads: InFlightReads, next: SendRead): Send {
  const send: Send = (request, done) => {
    const shared = reads.joinable(request);
    if (shared) return shared.join(request, hasTokenOf(shared.request, request) ? done : orOwnToken(request, done));
    const read = reads.open(request);
    read.join(request, done);
    read.begin(next);
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
}

function hasTokenOf(one: UpstreamRequest, other: UpstreamRequest): boolean {
  return one.caller.tokenDigest === other.caller.tokenDigest;
}

/** The reads in flight, by caller and path. */
export class InFlightReads {
  readonly #entries = new Map<string, Entry>();

  /** The read that a request may join. */
  joinable({ name, isFresh }: UpstreamRequest): InFlightRead | undefined {
    return isFresh ? undefined : this.#entries.get(name)?.read;
  }

  /** No write and no later equal read has begun since. */
  isLatest(request: UpstreamRequest): boolean {
    return this.#entries.get(request.name)?.read?.request === request;
  }

  /** The read takes the place of an equal one. */
  open(request: UpstreamRequest): InFlightRead {
    this.#close(request.name);
    const read = new InFlightRead(request, this);
    this.#entries.set(request.name, { read });
    return read;
  }

  /** No client joins the read any more. */
  close(request: UpstreamRequest): void {
    if (this.isLatest(request)) this.#close(request.name);
  }

  /** Closes the reads of a key, or of all where the digest is empty. */
  closeAll(keyDigest: string): void {
    for (const name of this.#entries.keys()) if (name.startsWith(keyDigest)) this.#close(name);
  }

  #close(name: string): void {
    const entry = this.#entries.get(name);
    if (!entry) return;
    entry.read = undefined;
    this.#entries.delete(name);
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
  readonly #reads: InFlightReads;
  #waiters: Waiter[] = [];
  #sent: SentRead | undefined;

  constructor(request: UpstreamRequest, reads: InFlightReads) {
    this.request = request;
    this.#reads = reads;
  }

  get traceparent(): string | undefined {
    return this.#sent?.traceparent;
  }

  begin(send: SendRead): void {
    this.#sent = send(this);
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
    waiter.end(reason, undefined);
    if (this.#waiters.length === 0) this.#sent?.abort(reason);
  }

  /** Whether a client can wait until `at` and pays for the attempt. Clients that cannot wait get the error. */
  allowRetry(at: number, error: unknown): boolean {
    const canWait = ({ client }: Waiter) => at < client.signal.due;
    const staying = this.#waiters.filter(canWait);
    const leaving = this.#waiters.filter((waiter) => !canWait(waiter));
    if (!staying.some(({ client }) => client.budget.takeRetry())) return false;
    this.#waiters = staying;
    for (const waiter of leaving) waiter.end(error, undefined);
    return true;
  }

  /** The read has its answer or has failed. */
  end(error: unknown, response: UpstreamResponse | undefined): void {
    this.#reads.close(this.request);
    const waiters = this.#waiters;
    this.#waiters = noWaiters;
    for (const waiter of waiters) waiter.end(error, response);
  }
}

/** One client that waits for a read. */
class Waiter implements Abortable {
  readonly client: UpstreamRequest;
  readonly #done: Done;
  readonly #read: InFlightRead;

  constructor(read: InFlightRead, client: UpstreamRequest, done: Done) {
    this.#read = read;
    this.client = client;
    this.#done = done;
  }

  end(error: unknown, response: UpstreamResponse | undefined): void {
    this.client.signal.delete?.(this);
    this.#done(error, response);
  }

  abort(reason: unknown): void {
    this.#read.leave(this, reason);
  }
}
