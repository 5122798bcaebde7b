import { gauge, type Metric, readGauge } from '@gateway/base';
import type { CallCost, Upstream } from '@gateway/upstream';

/** The metrics of a service behind the graph. Labels name parts of the contract. */
export function serviceMetrics(upstream: Upstream, batches: Metric): Metric[] {
  const { calls, concurrency, costs, listCache, queue } = upstream;
  return [
    calls.ended,
    calls.seconds,
    gauge('upstream_calls_in_flight', 'Calls of the service that are not answered yet.', () => calls.inFlight),
    calls.notSent,
    openCircuits(upstream),
    gauge('upstream_connections_in_use', 'Connections to the service with a call on them.', () => queue.running),
    gauge('upstream_calls_waiting', 'Calls that wait until they may be sent.', () => queue.waiting),
    gauge(
      'upstream_concurrency_limit',
      'Calls that the gateway sends to the service at the same time, at most.',
      () => queue.limit,
    ),
    gauge(
      'upstream_concurrency_gradient',
      'The time of calls at rest as a share of their time now: 1 where none waits at the service.',
      () => concurrency?.gradient ?? 1,
      'average',
    ),
    calls.saved,
    costMetric('call', 'Seconds that the service works for a call, as learnt.', upstream, 'callMs'),
    costMetric('row', 'Seconds that the service works for a row of a page, as learnt.', upstream, 'rowMs'),
    costAges(upstream),
    gauge(
      'upstream_parallelism',
      'Calls that the service works on side by side, as learnt.',
      () => costs.parallelism,
      'average',
    ),
    batches,
    listCache.reads,
    gauge('list_cache_lists', 'Lists in the cache.', () => listCache.entries),
    gauge('list_cache_bytes', 'Bytes of JSON in the cache.', () => listCache.bytes),
    gauge(
      'caller_claims_ignored',
      '1 where CALLER_CLAIMS is not used, because the service accepts a token with a wrong signature.',
      () => Number(upstream.callers.proof.holds === false),
      'max',
    ),
    dialect(upstream),
  ];
}

function openCircuits({ circuits }: Upstream): Metric {
  const help = '1 where only probes are sent, for one caller at least, because no call is answered.';
  return readGauge('upstream_circuit_open', help, 'max', () =>
    Array.from(circuits.states(), ([endpoint, isOpen]) => ({ labels: { endpoint }, value: Number(isOpen) })),
  );
}

/** Each worker learns by itself, so the figure of several is their average. */
function costMetric(part: string, help: string, { costs, contract }: Upstream, figure: keyof CallCost): Metric {
  const names = contract.endpointNames.filter((name) => {
    const { does } = contract.endpoint(name);
    return does === 'list' || (does === 'get' && figure === 'callMs');
  });
  return readGauge(`upstream_cost_${part}_seconds`, help, 'average', () =>
    names.map((endpoint) => ({ labels: { endpoint }, value: costs.of(endpoint)[figure] / 1000 })),
  );
}

/** The youngest figure of several workers. Without a sample where nothing is learnt. */
function costAges({ statistics, contract }: Upstream): Metric {
  const help = 'Seconds since the last answer that the costs of an endpoint are learnt from.';
  return readGauge('upstream_cost_age_seconds', help, 'min', () => {
    const now = performance.now();
    return contract.endpointNames.flatMap((endpoint) => {
      const learntAt = statistics.learntAt(endpoint);
      return learntAt === undefined ? [] : [{ labels: { endpoint }, value: (now - learntAt) / 1000 }];
    });
  });
}

function dialect({ dialect }: Upstream): Metric {
  const help = 'The dialect of the service: as the settings say, as the gateway uses it, and as answers show it.';
  return readGauge('upstream_dialect', help, 'max', () => {
    const { configured, known = 'unknown', seen = 'unknown' } = dialect;
    return [{ labels: { configured, used: known, seen }, value: 1 }];
  });
}
