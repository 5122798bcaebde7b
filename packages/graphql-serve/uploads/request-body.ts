import type { IncomingMessage } from 'node:http';
import { finished, Writable } from 'node:stream';
import { badRequest, madeOnce } from '@gateway/base';
import type { FormReader } from './form-reader.ts';
import { Pace, type PaceLimits } from './pace.ts';

export interface FedBody {
  /** How far the client is behind the least rate. */
  behindMs(): number;
  /** Discards the rest of the body. Settles at its end; the answer need not wait for that. */
  linger(): Promise<void>;
}

const silent = 'The client stopped sending in the middle of the request.';
const tooSlow = 'The client sends less than limits.uploads.minBytesPerSecond (MIN_UPLOAD_RATE).';

/** Feeds a request's body to the reader of its form at the reader's pace. Fails it for a client that sends too slowly or leaves. */
export function feedBody(request: IncomingMessage, form: FormReader, limits: PaceLimits): FedBody {
  const pace = new Pace(limits);
  let received = 0;
  let idle: NodeJS.Timeout | undefined;
  let pending: (() => void) | undefined;

  const awaitClient = () => {
    const patienceMs = pace.wait();
    idle = setTimeout(() => form.fail(badRequest(patienceMs < limits.idleMs ? tooSlow : silent, 408)), patienceMs);
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
      form.write(chunk, next);
    },
    final(proceed) {
      clearTimeout(idle);
      form.end();
      proceed();
    },
  });
  finished(request, { writable: false }, (gone) => {
    if (!gone) return;
    clearTimeout(idle);
    form.fail(badRequest('The client closed the connection before the end of the request.'));
  });
  awaitClient();
  request.pipe(sink);

  return {
    behindMs: () => (sink.writableFinished ? 0 : pace.behindMs),
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
