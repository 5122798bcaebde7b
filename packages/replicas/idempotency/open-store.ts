import { resolve } from 'node:path';
import type { Redis } from '../redis/connection.ts';
import { memoryStore } from './memory-store.ts';
import type { RecordLimits, RecordStore } from './record-store.ts';
import { redisStore } from './redis-store.ts';

/**
 * `redis`: absent where a file has the records, or `:memory:` this process.
 * @throws Error that names the setting to correct.
 */
export async function openStore(
  { file, ...limits }: RecordLimits & { file: string },
  redis: Redis | undefined,
): Promise<RecordStore> {
  if (redis) return redisStore(redis, limits);
  if (file === ':memory:') return memoryStore(limits);
  try {
    // Node tries for ever to make a folder there.
    if (resolve(file).startsWith('/proc/')) throw new Error('/proc takes no files');
    // Node 20 has no SQLite.
    const { openSqliteStore } = await import('./sqlite-store.ts');
    return await openSqliteStore({ file, ...limits });
  } catch (error) {
    throw new Error(`IDEMPOTENCY_FILE=${file} cannot be opened: ${(error as Error).message}.`);
  }
}
