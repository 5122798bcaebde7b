import type { Redis } from '../redis/connection.ts';
import type { RecordLimits, RecordStore } from './record-store.ts';
import { redisStore } from './redis-store.ts';
import { openSqliteStore } from './sqlite-store.ts';

/** `redis`: absent where a file has the records. @throws Error that names the setting to correct. */
export async function openStore(
  { file, ...limits }: RecordLimits & { file: string },
  redis: Redis | undefined,
): Promise<RecordStore> {
  if (redis) return redisStore(redis, limits);
  try {
    return await openSqliteStore({ file, ...limits });
  } catch (error) {
    throw new Error(`IDEMPOTENCY_FILE=${file} cannot be opened: ${(error as Error).message}.`);
  }
}
