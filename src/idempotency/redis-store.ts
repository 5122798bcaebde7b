import { createClient } from '@redis/client';
import type { Logger } from 'pino';
import type { RecordStore } from './record-store.ts';

const timeoutMs = 2_000;
const longestPauseMs = 2_000;

/** In one step, so that a text that another process has just stored stays. */
const removeIfSame = "return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('DEL', KEYS[1])";

/** Other applications may use the same database. */
const nameOf = (id: string) => `graphql-gateway:write:${id}`;

/**
 * Records in Redis, for gateways on several machines. Commands fail at once while it cannot be reached.
 * @throws Error where it cannot be reached at the start; it does not name the URL, which may hold a password.
 */
export async function openRedisStore(url: string, ttlMs: number, logger: Logger): Promise<RecordStore> {
  let isOpen = false;
  const client = createClient({
    url,
    // Otherwise Redis would execute a command after a reconnection, when its request has ended.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: timeoutMs,
      reconnectStrategy: (retries) => isOpen && Math.min(100 * 2 ** retries, longestPauseMs),
    },
  });
  client.on('error', (err: Error) => {
    if (isOpen) logger.error({ err }, 'REDIS_URL cannot be reached');
  });
  await client.connect();
  isOpen = true;
  const expiration = { type: 'PX', value: ttlMs } as const;

  return {
    async claim(id, text) {
      // Between the two steps another process may remove the text.
      for (;;) {
        if (await inTime(client.set(nameOf(id), text, { condition: 'NX', expiration }))) return undefined;
        const found = await inTime(client.get(nameOf(id)));
        if (found !== null) return found;
      }
    },
    async set(id, text) {
      await inTime(client.set(nameOf(id), text, { expiration }));
    },
    async remove(id, text) {
      if (text === undefined) await inTime(client.del(nameOf(id)));
      else await inTime(client.eval(removeIfSame, { keys: [nameOf(id)], arguments: [text] }));
    },
    async close() {
      isOpen = false;
      client.destroy();
    },
  };
}

/** The client's own timeout does not cover a command that was sent: a silent connection would delay it for minutes. */
async function inTime<T>(reply: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('Redis does not answer.')), timeoutMs);
  try {
    return await Promise.race([reply, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
