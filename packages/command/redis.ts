import type { Finding } from './checks.ts';

const patienceMs = 3_000;

/** That Redis answers, and loses no records of writes. The gateway asks for the same. */
export async function checkRedis(url: string | undefined): Promise<Finding> {
  if (url === undefined) return { state: 'skipped', found: 'REDIS_URL is not set: one gateway needs none.' };
  const { createClient } = await import('@redis/client');
  const client = createClient({ url, socket: { connectTimeout: patienceMs, reconnectStrategy: false } });
  client.on('error', () => {});
  try {
    await client.connect();
    const info = await client.info();
    const field = (name: string) => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1] ?? '';
    const found = `Redis ${field('redis_version')} answers.`;
    const policy = field('maxmemory_policy');
    if (policy !== 'noeviction') {
      const advice = 'Set maxmemory-policy noeviction: an evicted record lets a write happen twice.';
      return { state: 'failed', found: `${found} By its policy ${policy}, gateways refuse writes with a key.`, advice };
    }
    if (field('aof_enabled') === '1') return { state: 'ok', found };
    const advice = 'Set appendonly yes, unless Redis stores its data in another way.';
    return { state: 'warning', found: `${found} A restart of it loses the records of writes.`, advice };
  } catch (error) {
    const advice = 'Is Redis running, and are the name, the password and the port of REDIS_URL right?';
    return { state: 'failed', found: `Redis does not answer: ${(error as Error).message}`, advice };
  } finally {
    client.destroy();
  }
}
