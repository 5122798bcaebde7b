import type { TestGateway } from './api.ts';
import type { ForwardedAnswer, ForwardedRequest } from './served-gateway.ts';

// biome-ignore lint/suspicious/noExplicitAny: the answer of each method has a type of its own
type Call = (method: 'fetch' | 'abort', ...args: unknown[]) => Promise<any>;

let lastId = 0;

/** A `fetch` whose requests all go to one gateway. */
export function forwarder(call: Call): TestGateway['fetch'] {
  return async (input, init = {}) => {
    if (typeof Request === 'undefined' || typeof Response === 'undefined') {
      throw new Error(
        'gateway.fetch needs Request and Response, which jsdom hides from Jest. testEnvironment: "jest-fixed-jsdom" has them.',
      );
    }
    // The signal stays here: that of jsdom is none of Node's.
    const { signal: ofInit, ...rest } = init;
    // Any host will do, because the request goes to this gateway.
    const place = typeof input === 'string' || input instanceof URL ? new URL(input, 'http://localhost') : input;
    const request = new Request(place, rest);
    const signal = ofInit ?? (place instanceof Request ? place.signal : undefined);
    signal?.throwIfAborted();
    const sent = await forwarded(request);
    const answer = call('fetch', sent).catch((error: Error) => {
      throw new TypeError(error.message, { cause: error });
    });
    const { status, headers, body }: ForwardedAnswer = await unlessAborted(answer, signal, () =>
      call('abort', sent.id),
    );
    return new Response(body === null ? null : Buffer.from(body, 'base64'), { status, headers });
  };
}

async function forwarded(request: Request): Promise<ForwardedRequest> {
  const { pathname, search } = new URL(request.url);
  const body = await request.arrayBuffer();
  lastId += 1;
  return {
    id: lastId,
    path: pathname + search,
    method: request.method,
    headers: [...request.headers],
    body: body.byteLength === 0 ? null : Buffer.from(body).toString('base64'),
  };
}

/** Rejects with the reason of the signal where it comes first. */
function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined, abort: () => Promise<void>): Promise<T> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    const stop = () => {
      reject(signal.reason);
      // The gateway may be stopped by now.
      abort().catch(() => {});
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
