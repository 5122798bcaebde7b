import { serviceContract } from '../../../src/service-contract.ts';
import { callerOf } from '../../../test/support/caller.ts';
import type { Caller } from '../../base/callers/caller.ts';
import { MemoryShare } from '../../base/memory-budget.ts';
import type { EndpointName } from '../../contract/endpoint.ts';
import type { ServiceOptions } from '../../rest-graph/service.ts';
import {
  type Abortable,
  type Call,
  type CallObserver,
  type CallOrigin,
  newRequest,
  type Signal,
  type Subject,
} from '../request.ts';
import { Upstream, type UpstreamOptions } from '../upstream.ts';

/** The service without retries, circuits and cached lists. */
export function upstreamOf(
  url: string,
  {
    timeouts,
    ...options
  }: Partial<Omit<UpstreamOptions, 'timeouts'>> & { timeouts?: Partial<UpstreamOptions['timeouts']> } = {},
): Upstream {
  return new Upstream({
    contract: serviceContract,
    url,
    dialect: 'spec',
    connections: 2,
    adaptiveConcurrency: true,
    bodyLimits: { maxBytes: 2 ** 20, share: new MemoryShare(2 ** 20) },
    timeouts: { connectMs: 1000, readMs: 5000, writeMs: 5000, uploadIdleMs: 5000, queueMs: 5000, ...timeouts },
    retries: { max: 0, baseMs: 1, capMs: 1, share: 0 },
    circuitBreaker: { calls: 0, probeIntervalMs: 0, probeWaitMs: 0 },
    cache: { lists: { ttlMs: 0, maxLists: 1, maxBytes: 1 }, bodies: { maxBytes: 2 ** 20 } },
    ...options,
  });
}

/** The options of a service without limits that matter, which records no writes. */
export function serviceOptions(url: string): ServiceOptions {
  return {
    upstream: {
      url,
      dialect: 'spec',
      connections: 2,
      adaptiveConcurrency: true,
      answerBytes: 2 ** 20,
      answersBytes: 2 ** 20,
      timeouts: { connectMs: 1000, readMs: 5000, writeMs: 5000, uploadIdleMs: 5000, queueMs: 5000 },
      retries: { max: 0, baseMs: 1, capMs: 1, share: 0 },
      circuitBreaker: { calls: 0, probeIntervalMs: 0, probeWaitMs: 0 },
      cache: { lists: { ttlMs: 0, maxLists: 1, maxBytes: 1 }, bodies: { maxBytes: 2 ** 20 } },
    },
    limits: {
      pageSize: 1000,
      upstreamCalls: 500,
      cost: 10_000,
      objects: 10_000,
      answerBytes: 2 ** 20,
      timeoutMs: 10_000,
      memoryBytes: 2 ** 20,
    },
    settings: { claims: {}, unknownOptions: 'refuse' },
    records: {
      under() {
        throw new Error('This service records no writes.');
      },
    },
  };
}

export const caller = callerOf({ authorization: 'key' });
const budget = { takeRetry: () => false };

const forever: Signal = { due: Number.POSITIVE_INFINITY, sent: 0, add() {}, hold: () => true };

/** A signal that also collects what its client waits for. */
function leavable(signal: Signal) {
  const waits: Abortable[] = [];
  const add = (wait: Abortable) => {
    waits.push(wait);
    signal.add(wait);
  };
  return {
    signal: {
      due: signal.due,
      sent: 0,
      add,
      delete: (wait: Abortable) => signal.delete?.(wait),
      hold: (bytes: number) => signal.hold(bytes),
    },
    leave() {
      for (const wait of waits) wait.abort(new Error('left'));
    },
  };
}

/** A read of one client, which can leave. */
export function startRead(
  upstream: Upstream,
  endpoint: EndpointName,
  subject: Subject,
  clientSignal: Signal = forever,
  by: Caller = caller,
) {
  const { signal, leave } = leavable(clientSignal);
  const path = upstream.paths.of(endpoint, subject);
  const origin: CallOrigin = { reason: 'root', fields: () => [] };
  let call: Call | undefined;
  const observer: CallObserver = {
    nextTraceparent: () => undefined,
    begin(begun) {
      call = begun;
      return { finish() {} };
    },
  };
  const request = newRequest({ caller: by, endpoint, path, subject, origin, budget, signal, observer });
  return { answer: upstream.read(request), status: () => call?.status, leave };
}

/** A write of one client, which can leave. */
export function startWrite(upstream: Upstream, endpoint: EndpointName, body: unknown) {
  const { signal, leave } = leavable(forever);
  const path = upstream.paths.of(endpoint, {});
  const origin: CallOrigin = { reason: 'write', fields: () => [] };
  const request = newRequest({
    caller,
    endpoint,
    path,
    subject: {},
    origin,
    signal,
    budget,
    write: { body },
  });
  return { answer: upstream.write(request).then(({ data }) => data), leave };
}
