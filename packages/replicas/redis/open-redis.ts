import type { Logger } from 'pino';
import type { Redis } from './connection.ts';

/** Undefined without REDIS_URL. @throws Error where Redis cannot be reached. */
export async function openRedis(
  { url, timeoutMs }: { url?: string | undefined; timeoutMs: number },
  logger: Logger,
): Promise<Redis | undefined> {
  if (url === undefined) return undefined;
  // Most gateways run without Redis, and need not load its client.
  const { Redis } = await import('./connection.ts');
  return Redis.open({ url, timeoutMs }, logger);
}
