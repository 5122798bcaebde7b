import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { loggedError } from '../observability/logged-error.ts';
import type { RecordStore } from './record-store.ts';
import { openSqliteStore } from './sqlite-store.ts';

/** @throws Error that names the setting to correct. */
export async function openStore(
  { file, redisUrl, ...limits }: Omit<Config['idempotency'], 'timeoutMs'>,
  logger: Logger,
): Promise<RecordStore> {
  try {
    if (redisUrl === undefined) return await openSqliteStore({ file, ...limits });
    // Most gateways run without Redis, and need not load its client.
    const { openRedisStore } = await import('./redis-store.ts');
    return await openRedisStore(redisUrl, limits, logger);
  } catch (error) {
    if (redisUrl === undefined) {
      throw new Error(`IDEMPOTENCY_FILE=${file} cannot be opened: ${(error as Error).message}.`);
    }
    // A Redis that does not know a command quotes its arguments, such as the password.
    const { code, reason, type } = loggedError(error);
    throw new Error(`REDIS_URL cannot be reached: ${code ?? reason ?? type}.`);
  }
}
