import { gauge, type Metric, readGauge } from '@gateway/base';
import type { Redis } from '../redis/connection.ts';
import type { OtherGateways } from './other-gateways.ts';

/** `redis`: undefined where the gateway has none. */
export function shareMetrics(others: OtherGateways, redis: Redis | undefined): Metric[] {
  return [
    others.broadcasts,
    gauge('others_known', 'Other gateways and workers that a write waits for.', () => others.known, 'max'),
    carrierMetric(others),
    redisMetric(redis),
    gauge(
      'redis_round_trip_seconds',
      'Time to Redis and back, as measured; 0 without Redis.',
      () => (others.carrier?.roundTripMs ?? 0) / 1000,
      'max',
    ),
  ];
}

/** Without a sample where the gateway is alone. */
function carrierMetric({ carrier }: OtherGateways): Metric {
  const help = '1 while messages get through to other gateways and workers, 0 while they do not.';
  return readGauge('broadcast_up', help, 'min', () =>
    carrier ? [{ labels: { carrier: carrier.name }, value: Number(carrier.isUp) }] : [],
  );
}

/** Without a sample where there is no Redis, or it does not show the setting. */
function redisMetric(redis: Redis | undefined): Metric {
  const help = '1 where Redis may lose records of writes, by eviction (maxmemory-policy) or by a restart (appendonly).';
  return readGauge('redis_loses_records', help, 'max', () => {
    const { mayEvict, writesToDisk } = redis?.settings ?? {};
    const risks = { eviction: mayEvict, restart: writesToDisk === undefined ? undefined : !writesToDisk };
    return Object.entries(risks).flatMap(([by, risk]) =>
      risk === undefined ? [] : [{ labels: { by }, value: Number(risk) }],
    );
  });
}
