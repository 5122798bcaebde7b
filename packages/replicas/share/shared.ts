import type { Shared } from '@gateway/graphql-serve';
import type { Logger } from 'pino';
import { Idempotency } from '../idempotency/idempotency.ts';
import { writeRecords } from '../idempotency/idempotent-writes.ts';
import { openStore } from '../idempotency/open-store.ts';
import type { RecordLimits } from '../idempotency/record-store.ts';
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
  /** Forwarded headers in lower case that make a sandbox fail. A client repeats its write without them. */
  trialHeaders?: readonly string[];
  logger: Logger;
}

/** For one gateway alone. The records end with its process. */
export const defaultShareSettings: ShareSettings = {
  redis: { timeoutMs: 50 },
  idempotency: { file: ':memory:', ttlMs: 86_400_000, timeoutMs: 750, writes: 1_000_000, writesPerCaller: 250_000 },
};

/** The records of writes, and messages about what the gateways have learnt. */
interface Opened extends Shared {
  others: OtherGateways;
}

/** Rejects for a Redis that cannot be reached, and for a store that cannot be opened. */
export async function openShared(options: ShareOptions): Promise<Opened> {
  const { settings, serviceName, carrier, trialHeaders = [], logger } = options;
  const redis = await openRedis(settings.redis, logger);
  const others = new OtherGateways(redis ? redisCarrier(redis, serviceName, logger) : carrier);
  const store = await openStore(settings.idempotency, redis);
  const idempotency = new Idempotency(store, settings.idempotency, logger);
  return {
    others,
    idempotency: writeRecords(idempotency, serviceName, trialHeaders),
    metrics: [idempotency.writes, ...shareMetrics(others, redis)],
    async close() {
      await idempotency.close();
      await others.close();
      redis?.close();
    },
  };
}

/** Most gateways run without Redis, and need not load its client. */
async function openRedis({ url, timeoutMs }: ShareSettings['redis'], logger: Logger) {
  if (url === undefined) return undefined;
  const { Redis } = await import('../redis/connection.ts');
  return Redis.open({ url, timeoutMs }, logger);
}
