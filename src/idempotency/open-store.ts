import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { loggedError } from '../observability/logged-error.ts';
import type { RecordStore } from './record-store.ts';
import { openSqliteStore } from './sqlite-store.ts';

type StoreSettings = Pick<Config, 'IDEMPOTENCY_FILE' | 'IDEMPOTENCY_TTL_MS' | 'REDIS_URL'>;

/** @throws Error that names the setting to correct. */
export async function openStore(settings: StoreSettings, logger: Logger): Promise<RecordStore> {
  const { IDEMPOTENCY_FILE: file, IDEMPOTENCY_TTL_MS: ttlMs, REDIS_URL: redis } = settings;
  try {
    if (redis === undefined) return openSqliteStore(file, ttlMs);
    // Most gateways run without Redis, and need not load its client.
    const { openRedisStore } = await import('./redis-store.ts');
    return await openRedisStore(redis, ttlMs, logger);
  } catch (error) {
    if (redis === undefined) {
      throw new Error(`IDEMPOTENCY_FILE=${file} cannot be opened: ${(error as Error).message}.`);
    }
    // A Redis that does not know a command quotes its arguments, such as the password.
    const { code, reason, type } = loggedError(error);
    throw new Error(`REDIS_URL cannot be reached: ${code ?? reason ?? type}.`);
  }
}
