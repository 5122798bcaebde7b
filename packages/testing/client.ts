import type { TestGateway, TestGatewayOptions } from './api.ts';
import { forwarder } from './forward.ts';
import { ask, startServed, stopServed } from './host-process.ts';

export { stopAll } from './host-process.ts';
export { matchers } from './matchers.ts';

/** Starts a gateway over a service of its own, both in memory. */
export async function startGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const { gateway: number, url } = await startServed(options);
  let stopped: Promise<void> | undefined;

  // biome-ignore lint/suspicious/noExplicitAny: the answer of each method has the type that TestGateway gives it
  const call = (method: Parameters<typeof ask>[1], ...args: unknown[]): Promise<any> => ask(number, method, args);

  async function undoable(method: 'fail' | 'delay', ...args: unknown[]) {
    const index = await call(method, ...args);
    return () => call('undo', index);
  }

  async function stop() {
    stopped ??= stopServed(number);
    await stopped;
  }

  const gateway: TestGateway = {
    url,
    graphql: (document, variables, options = {}) => call('graphql', textOf(document), variables ?? {}, options),
    fetch: forwarder(call),
    calls: () => call('calls'),
    clearCalls: () => call('clearCalls'),
    fail: (endpoint, failure, options = {}) => undoable('fail', endpoint, failure, options),
    delay: (endpoint, ms, options = {}) =>
      undoable('delay', endpoint, ms === Number.POSITIVE_INFINITY ? 'Infinity' : ms, options),
    unmet: () => call('unmet'),
    elsewhere: (method, path, body) => call('elsewhere', method, path, ...(body === undefined ? [] : [body])),
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
