import type { IncomingMessage } from 'node:http';
import { finished, Writable } from 'node:stream';
import { badRequest, madeOnce } from '@gateway/base';
import type { GraphQLError } from 'graphql';
import { Pace, type PaceLimits } from './pace.ts';

export interface BodyReader {
  /** Takes a chunk. `next` asks for the next chunk; further calls of `next` do nothing. */
  write(chunk: Buffer, next: () => void): void;
  /** Called at the end of the body. */
  end(): void;
  /** Called when the rest of the body will not come. */
  fail(error: GraphQLError): void;
}

export interface FedBody {
  /** How far the client is behind the least rate. */
  readonly behindMs: number;
  /** Discards the rest of the body. Settles at its end; the answer need not wait for that. */
  linger(): Promise<void>;
}

const silent = 'The client stopped sending in the middle of the request.';
const tooSlow = 'The client sends less than limits.uploads.minBytesPerSecond (MIN_UPLOAD_RATE).';

/** Feeds a request's body to a reader at the reader's pace. Fails when the client is expected to send, and is too slow. */
export function feedBody(request: IncomingMessage, reader: BodyReader, limits: PaceLimits): FedBody {
  const pace = new Pace(limits);
  let received = 0;
  let idle: NodeJS.Timeout | undefined;
  let pending: (() => void) | undefined;

  const awaitClient = () => {
    const patienceMs = pace.wait();
    idle = setTimeout(() => reader.fail(badRequest(patienceMs < limits.idleMs ? tooSlow : silent, 408)), patienceMs);
  };
  const next = () => {
    const proceed = pending;
    if (!proceed) return;
    pending = undefined;
    awaitClient();
    proceed();
  };
  const sink = new Writable({
    write(chunk: Buffer, _encoding, proceed) {
      clearTimeout(idle);
      received += chunk.length;
      pace.add(chunk.length);
      pending = proceed;
      reader.write(chunk, next);
    },
    final(proceed) {
      clearTimeout(idle);
      reader.end();
      proceed();
    },
  });
  finished(request, { writable: false }, (gone) => {
    if (!gone) return;
    clearTimeout(idle);
    reader.fail(badRequest('The client closed the connection before the end of the request.'));
  });
  awaitClient();
  request.pipe(sink);

  return {
    get behindMs() {
      return sink.writableFinished ? 0 : pace.behindMs;
    },
    linger() {
      request.unpipe(sink);
      pending = undefined;
      clearTimeout(idle);
      return discardBody(request, lingerBytes, received).over;
    },
  };
}

const lingerMs = 3_000;
const lingerBytes = 32 * 1024 * 1024;
/** Strangers can have bodies refused too. */
const discardedBytes = 2 * 1024 * 1024;

/** A body that is read and discarded, because nobody needs the rest of it. */
interface DiscardedBody {
  /** Settles when the client sends no more of it. */
  over: Promise<void>;
  /** The body is longer than what is read of it, or may be. */
  isCut: boolean;
}

const discarded = new WeakMap<IncomingMessage, DiscardedBody>();

/** Undefined for a body that is not discarded. */
export function discardedBody(request: IncomingMessage): DiscardedBody | undefined {
  return discarded.get(request);
}

/**
 * Gives up a body without losing the answer to its client. Reads at most so many bytes for at most 3 s, then closes the
 * connection. An unread body would delay the next request on the connection for ever. Closing at once would lose an answer on
 * its way to the client.
 */
export function discardBody(request: IncomingMessage, maxBytes = discardedBytes, received = 0): DiscardedBody {
  return madeOnce(discarded, request, () => {
    const { headers, complete } = request;
    const rest = complete ? 0 : Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) - received;
    const over = new Promise<void>((resolve) => finished(request, { writable: false }, () => resolve()));
    let left = maxBytes;
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) request.pause();
    });
    request.resume();
    const limit = setTimeout(() => request.destroy(), lingerMs);
    over.then(() => clearTimeout(limit));
    return { over, isCut: rest > maxBytes };
  });
}
