import type { TestGateway, TestGatewayOptions } from './api.ts';
import { ask, leave, startServed } from './host-process.ts';
import type { ForwardedAnswer, ForwardedRequest } from './served-gateway.ts';

export { matchers } from './matchers.ts';

/** Starts a gateway over a service of its own, both in memory. */
export async function startGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const { gateway: number, url } = await startServed(options);
  let stopped: Promise<unknown> | undefined;

  // biome-ignore lint/suspicious/noExplicitAny: the answer of each method has the type that TestGateway gives it
  const call = (method: Parameters<typeof ask>[1], ...args: unknown[]): Promise<any> => ask(number, method, args);

  async function undoable(method: 'fail' | 'delay', ...args: unknown[]) {
    const index = await call(method, ...args);
    return () => call('undo', index);
  }

  async function stop() {
    stopped ??= call('stop').finally(() => leave(number));
    await stopped;
  }

  const gateway: TestGateway = {
    url,
    graphql: (document, variables, options = {}) => call('graphql', textOf(document), variables ?? {}, options),
    async fetch(input, init) {
      const { status, headers, body } = (await call('fetch', await forwarded(input, init))) as ForwardedAnswer;
      return new Response(body === null ? null : Buffer.from(body, 'base64'), { status, headers });
    },
    calls: () => call('calls'),
    clearCalls: () => call('clearCalls'),
    fail: (endpoint, failure, options = {}) => undoable('fail', endpoint, failure, options),
    delay: (endpoint, ms, options = {}) => undoable('delay', endpoint, ms, options),
    unmet: () => call('unmet'),
    pace: (pace) => call('pace', pace),
    clock: {
      now: () => call('now'),
      set: (time) => call('setClock', time),
      advance: (ms) => call('advanceClock', ms),
    },
    reset: (seed) => call('reset', ...(seed === undefined ? [] : [seed])),
    stop,
    [Symbol.asyncDispose]: stop,
  };
  return gateway;
}

/** The AST of a `gql` tag goes as it is. A document of a code generator is its text. */
function textOf(document: string | object): unknown {
  return (document as { kind?: string }).kind === 'Document' ? document : String(document);
}

async function forwarded(input: RequestInfo | URL, init: RequestInit | undefined): Promise<ForwardedRequest> {
  // Any host will do, because the request goes to this gateway.
  const place = typeof input === 'string' || input instanceof URL ? new URL(input, 'http://localhost') : input;
  const request = new Request(place, init);
  const { pathname, search } = new URL(request.url);
  const body = await request.arrayBuffer();
  return {
    path: pathname + search,
    method: request.method,
    headers: [...request.headers],
    body: body.byteLength === 0 ? null : Buffer.from(body).toString('base64'),
  };
}
