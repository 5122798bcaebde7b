import type { Metric } from '@gateway/base';
import type { Logger } from 'pino';
import { Idempotency } from '../idempotency/idempotency.ts';
import { openStore } from '../idempotency/open-store.ts';
import type { RecordLimits } from '../idempotency/record-store.ts';
import { openRedis } from '../redis/open-redis.ts';
import type { Carrier } from './carrier.ts';
import { shareMetrics } from './metrics.ts';
import { OtherGateways } from './other-gateways.ts';
import { redisCarrier } from './redis-carrier.ts';

export interface ShareSettings {
  /** Without a URL, gateways on several machines share nothing. */
  redis: { url?: string | undefined; timeoutMs: number };
  /** `file`: of the records, where there is no Redis. */
  idempotency: RecordLimits & { file: string; timeoutMs: number };
}

export interface ShareOptions {
  settings: ShareSettings;
  /** A name of the service that survives restarts. Several services may share one Redis. */
  serviceName: string;
  /** Carries messages to the other workers, where there is no Redis. */
  carrier?: Carrier | undefined;
  logger: Logger;
}

/** Things that the gateways of one service share: the records of writes, and messages about what they have learnt. */
export interface Shared {
  others: OtherGateways;
  idempotency: Idempotency;
  metrics: readonly Metric[];
  close(): Promise<void>;
}

/** Rejects for a Redis that cannot be reached, and for a store that cannot be opened. */
export async function openShared({ settings, serviceName, carrier, logger }: ShareOptions): Promise<Shared> {
  const redis = await openRedis(settings.redis, logger);
  const others = new OtherGateways(redis ? redisCarrier(redis, serviceName, logger) : carrier);
  const store = await openStore(settings.idempotency, redis);
  const idempotency = new Idempotency(store, settings.idempotency, logger, serviceName);
  return {
    others,
    idempotency,
    metrics: [idempotency.writes, ...shareMetrics(others, redis)],
    async close() {
      await idempotency.close();
      await others.close();
      redis?.close();
    },
  };
}
