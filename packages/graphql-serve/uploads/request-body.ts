import type { IncomingMessage } from 'node:http';
import { finished, Writable } from 'node:stream';
import { Pace, type PaceLimits } from './pace.ts';

export interface BodyReader {
  /** Takes a chunk. `next` asks for the next chunk; further calls of `next` do nothing. */
  write(chunk: Buffer, next: () => void): void;
  /** Called at the end of the body. */
  end(): void;
  /** Called when the rest of the body will not come. `status` is for the answer, if the client still waits for one. */
  fail(message: string, status: number): void;
}

export interface FedBody {
  /** How far the client is behind the least rate. */
  readonly behindMs: number;
  /**
   * Reads and discards at most so many bytes for at most 3 s, then closes the connection. An unread body would delay the next
   * request on the connection for ever. Closing at once would lose an answer on its way to the client.
   * Settles at the end of the body; the answer need not wait for that.
   */
  linger(maxBytes?: number): Promise<void>;
}

const silent = 'The client stopped sending in the middle of the request.';
const tooSlow = 'The client sends less than limits.uploads.minBytesPerSecond (MIN_UPLOAD_RATE).';

const lingerMs = 3_000;
const lingerBytes = 32 * 1024 * 1024;
/** Strangers can have bodies refused too. */
const discardedBytes = 2 * 1024 * 1024;

/** A body that is read and discarded, because its request is refused. */
interface LingeringBody {
  /** Settles when the client sends no more of it. */
  over: Promise<void>;
  /** The body is longer than what is read of it, or may be. */
  isCut: boolean;
}

const lingeringBodies = new WeakMap<IncomingMessage, LingeringBody>();

/** Undefined for a body that is not discarded. */
export function lingeringBody(request: IncomingMessage): LingeringBody | undefined {
  return lingeringBodies.get(request);
}

/** Bytes that are still to come, as far as the client says it. */
function restOf({ headers, complete }: IncomingMessage, received: number): number {
  if (complete) return 0;
  return Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) - received;
}

/** Feeds a request's body to a reader at the reader's pace. Fails when the client is expected to send, and is too slow. */
export function feedBody(request: IncomingMessage, reader: BodyReader, limits: PaceLimits): FedBody {
  const pace = new Pace(limits);
  let lingering = false;
  let received = 0;
  let left = 0;
  let idle: NodeJS.Timeout | undefined;
  let pending: (() => void) | undefined;

  const awaitClient = () => {
    const patienceMs = pace.wait();
    idle = setTimeout(() => reader.fail(patienceMs < limits.idleMs ? tooSlow : silent, 408), patienceMs);
  };
  const next = () => {
    const proceed = pending;
    pending = undefined;
    if (proceed && !lingering) awaitClient();
    proceed?.();
  };
  const sink = new Writable({
    write(chunk: Buffer, _encoding, proceed) {
      clearTimeout(idle);
      received += chunk.length;
      pace.add(chunk.length);
      pending = proceed;
      if (!lingering) return reader.write(chunk, next);
      left -= chunk.length;
      if (left >= 0) next();
    },
    final(proceed) {
      clearTimeout(idle);
      if (!lingering) reader.end();
      proceed();
    },
  });
  const over = new Promise<void>((resolve) => {
    sink.once('finish', resolve);
    finished(request, { writable: false }, (gone) => {
      if (!gone) return;
      clearTimeout(idle);
      reader.fail('The client closed the connection before the end of the request.', 400);
      resolve();
    });
  });

  request.on('error', () => {}); // `finished` reports it to the reader; without a listener Node would throw it
  awaitClient();
  request.pipe(sink);

  return {
    get behindMs() {
      return sink.writableFinished ? 0 : pace.behindMs;
    },
    linger(maxBytes = lingerBytes) {
      if (!lingering) lingeringBodies.set(request, { over, isCut: restOf(request, received) > maxBytes });
      if (!lingering && !sink.writableFinished && !request.destroyed) {
        const limit = setTimeout(() => request.destroy(), lingerMs);
        over.then(() => clearTimeout(limit));
      }
      if (!lingering) left = maxBytes;
      lingering = true;
      clearTimeout(idle);
      next();
      return over;
    },
  };
}

/** Gives up a body without losing the answer to its client. Resolves when the client sends no more of it. */
export function discardBody(request: IncomingMessage): Promise<void> {
  const reader = { write: (_chunk: Buffer, next: () => void) => next(), end() {}, fail() {} };
  const limits = { idleMs: lingerMs, minBytesPerSecond: 0, averagedMs: lingerMs };
  return feedBody(request, reader, limits).linger(discardedBytes);
}
