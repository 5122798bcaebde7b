import { MemoryShare } from '../../src/lib/memory-budget.ts';
import { type Caller, callerOf } from '../../src/upstream/caller.ts';
import { Dialect } from '../../src/upstream/dialect.ts';
import type { EndpointName } from '../../src/upstream/endpoints.ts';
import { type Abortable, type Signal, type Subject, UpstreamRequest } from '../../src/upstream/request.ts';
import { Upstream, type UpstreamOptions } from '../../src/upstream/upstream.ts';

/** The service without retries, circuits and cached lists. */
export function upstreamOf(
  url: string,
  {
    timeouts,
    ...options
  }: Partial<Omit<UpstreamOptions, 'timeouts'>> & { timeouts?: Partial<UpstreamOptions['timeouts']> } = {},
): Upstream {
  return new Upstream({
    url,
    dialect: new Dialect('spec'),
    connections: 2,
    adaptiveConcurrency: true,
    bodyLimits: { maxBytes: 2 ** 20, share: new MemoryShare(2 ** 20) },
    timeouts: { connectMs: 1000, readMs: 5000, writeMs: 5000, uploadIdleMs: 5000, queueMs: 5000, ...timeouts },
    retries: { max: 0, baseMs: 1, capMs: 1, share: 0 },
    circuitBreaker: { calls: 0, probeIntervalMs: 0, probeWaitMs: 0 },
    circuitObserver: { onOpened() {}, onClosed() {} },
    cache: { lists: { ttlMs: 0, maxLists: 1, maxBytes: 1 }, bodies: { maxBytes: 2 ** 20 } },
    ...options,
  });
}

export const caller = callerOf({ authorization: 'key' });
const budget = { takeRetry: () => false };

/** A read of one client, which can leave. */
export function startRead(
  upstream: Upstream,
  endpoint: EndpointName,
  subject: Subject,
  signal: Signal = { due: Number.POSITIVE_INFINITY, add() {}, hold: () => true },
  by: Caller = caller,
) {
  const waits: Abortable[] = [];
  const path = upstream.paths.of(endpoint, subject);
  const request = new UpstreamRequest({
    caller: by,
    endpoint,
    path,
    subject,
    reason: 'root',
    budget,
    signal: {
      due: signal.due,
      add(wait) {
        waits.push(wait);
        signal.add(wait);
      },
      hold: (bytes) => signal.hold(bytes),
    },
  });
  const answer = upstream.send(request);
  return {
    request,
    answer,
    leave() {
      for (const wait of waits) wait.abort(new Error('left'));
    },
  };
}

/** A write of one client, which leaves with `request.abort`. */
export function startWrite(upstream: Upstream, endpoint: EndpointName, body: unknown) {
  const path = upstream.paths.of(endpoint, {});
  const signal = { due: Number.POSITIVE_INFINITY, add() {}, hold: () => true };
  const options = { caller, endpoint, path, subject: {}, reason: 'write', signal, budget, write: { body } } as const;
  const request = new UpstreamRequest(options);
  return { request, answer: upstream.send(request) };
}
