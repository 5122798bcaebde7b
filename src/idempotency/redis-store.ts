import { type CommandParser, createClient, defineScript } from '@redis/client';
import type { Logger } from 'pino';
import { type Claim, leaseText, type RecordLimits, type RecordStore, recordOf, type Write } from './record-store.ts';

const connectTimeoutMs = 1_000;
const reconnectPauseMs = 100;
/** A connection that is silent for longer has lost its other end. Pings keep a good one from being silent. */
const silenceMs = 5_000;
const pingIntervalMs = 1_000;

/**
 * A hash of each key has its request, and the record of each field. Two sorted sets count the writes of a caller and of all.
 * Other applications may use the same database.
 */
const prefix = 'graphql-gateway:writes:';
const namesOf = ({ key, caller }: Write) => [`${prefix}key:${key}`, `${prefix}caller:${caller}`, `${prefix}all`];

/** Each script takes `namesOf` a write, then its field, its key, the time and the time to live. */
const scripts = {
  claimWrite: script(`
    local request = redis.call('HGET', KEYS[1], 'request')
    if request and request ~= ARGV[5] then return {'of another request'} end
    local found = redis.call('HGET', KEYS[1], 'write:' .. ARGV[1])
    if found then return {'found', found} end
    redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[3])
    redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', ARGV[3])
    if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[7]) then return {'refused', 'writesPerCaller'} end
    if redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[8]) then return {'refused', 'writes'} end
    store(ARGV[5], ARGV[6])
    return {'granted'}`),
  renewWrite: script(`if has_lease(ARGV[5]) then store(ARGV[6], ARGV[7]) end`),
  setWrite: script(`store(ARGV[5], ARGV[6])`),
  removeWrite: script(`
    if not has_lease(ARGV[5]) then return end
    redis.call('HDEL', KEYS[1], 'write:' .. ARGV[1])
    if redis.call('HLEN', KEYS[1]) == 1 then redis.call('DEL', KEYS[1]) end
    redis.call('ZREM', KEYS[2], ARGV[2] .. ' ' .. ARGV[1])
    redis.call('ZREM', KEYS[3], ARGV[2] .. ' ' .. ARGV[1])`),
};

/** Redis runs a script in one step. */
function script(lua: string) {
  const SCRIPT = `
    local function store(request, text)
      redis.call('HSET', KEYS[1], 'request', request, 'write:' .. ARGV[1], text)
      redis.call('PEXPIRE', KEYS[1], ARGV[4])
      for index = 2, 3 do
        redis.call('ZADD', KEYS[index], tonumber(ARGV[3]) + tonumber(ARGV[4]), ARGV[2] .. ' ' .. ARGV[1])
        redis.call('PEXPIRE', KEYS[index], ARGV[4])
      end
    end
    local function has_lease(token)
      local text = redis.call('HGET', KEYS[1], 'write:' .. ARGV[1])
      return text and string.sub(text, 1, #token) == token
    end
    ${lua}`;
  return defineScript({
    SCRIPT,
    NUMBER_OF_KEYS: 3,
    parseCommand(parser: CommandParser, write: Write, ttlMs: number, ...others: string[]) {
      parser.pushKeys(namesOf(write));
      parser.push(write.field, write.key, String(Date.now()), String(ttlMs), ...others);
    },
    transformReply: (reply: unknown) => reply,
  });
}

/**
 * Records in Redis, for gateways on several machines. Commands fail at once while it cannot be reached.
 * @throws Error where it cannot be reached at the start; it does not name the URL, which may hold a password.
 */
export async function openRedisStore(
  url: string,
  { ttlMs, writes, writesPerCaller }: RecordLimits,
  logger: Logger,
): Promise<RecordStore> {
  let isOpen = false;
  const client = createClient({
    url,
    scripts,
    // Otherwise Redis would execute a command after a reconnection, when its request has ended.
    disableOfflineQueue: true,
    pingInterval: pingIntervalMs,
    socket: {
      connectTimeout: connectTimeoutMs,
      socketTimeout: silenceMs,
      reconnectStrategy: () => isOpen && reconnectPauseMs,
    },
  });
  client.on('error', (err: Error) => {
    if (isOpen) logger.error({ err }, 'REDIS_URL cannot be reached');
  });
  await client.connect();
  isOpen = true;

  return {
    async claim(write, lease) {
      const limits = [String(writesPerCaller), String(writes)];
      const [is, detail] = (await client.claimWrite(
        write,
        ttlMs,
        write.request,
        leaseText(lease),
        ...limits,
      )) as string[];
      if (is === 'found') return { is, record: recordOf(detail as string) };
      return { is, setting: detail } as Claim;
    },
    async renew(write, lease) {
      await client.renewWrite(write, ttlMs, lease.token, write.request, leaseText(lease));
    },
    async set(write, outcome) {
      await client.setWrite(write, ttlMs, write.request, JSON.stringify(outcome));
    },
    async remove(write, { token }) {
      await client.removeWrite(write, ttlMs, token);
    },
    ping: () => client.ping(),
    async close() {
      isOpen = false;
      client.destroy();
    },
  };
}
