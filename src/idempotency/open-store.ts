import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { RecordStore } from './record-store.ts';
import { openSqliteStore } from './sqlite-store.ts';

type StoreSettings = Pick<Config, 'IDEMPOTENCY_FILE' | 'IDEMPOTENCY_TTL_MS' | 'REDIS_URL'>;

/** @throws Error that names the setting to look at. */
export async function openStore(settings: StoreSettings, logger: Logger): Promise<RecordStore> {
  const { IDEMPOTENCY_FILE: file, IDEMPOTENCY_TTL_MS: ttl, REDIS_URL: redis } = settings;
  try {
    if (redis === undefined) return openSqliteStore(file, ttl);
    // Most gateways have no use for it.
    const { openRedisStore } = await import('./redis-store.ts');
    return await openRedisStore(redis, ttl, logger);
  } catch (error) {
    const place = redis === undefined ? `IDEMPOTENCY_FILE=${file} cannot be opened` : 'REDIS_URL cannot be reached';
    throw new Error(`${place}: ${(error as Error).message}.`);
  }
}
