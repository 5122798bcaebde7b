import { createHash } from 'node:crypto';
import type { Redis, RedisClient } from '../redis/connection.ts';
import type { Claim, RecordLimits, RecordStore, Write } from './record-store.ts';

/**
 * A hash of each key has its request, and the record of each field. Two sorted sets count the writes of a caller and of all.
 * Other applications may use the same database.
 */
const prefix = 'graphql-gateway:writes:';
const namesOf = ({ key, caller }: Write) => [`${prefix}key:${key}`, `${prefix}caller:${caller}`, `${prefix}all`];

/**
 * Each script gets `namesOf` a write, then its field, its key, the time and the time to live.
 *
 * Redis without room refuses a script at its first command that writes, and only if that command can take memory. The first one
 * of a claim is HSET: the write is not sent. The first one of `set` takes none: renewals and outcomes have to be stored.
 */
const scripts = {
  claim: script(`
    local request = redis.call('HGET', KEYS[1], 'request')
    if request and request ~= ARGV[5] then return {'of another request'} end
    local found = redis.call('HGET', KEYS[1], 'write:' .. ARGV[1])
    if found then return {'found', found} end
    local after = '(' .. ARGV[3]
    if redis.call('ZCOUNT', KEYS[2], after, '+inf') >= tonumber(ARGV[7]) then return {'refused', 'writesPerCaller'} end
    if redis.call('ZCOUNT', KEYS[3], after, '+inf') >= tonumber(ARGV[8]) then return {'refused', 'writes'} end
    store(ARGV[5], ARGV[6])
    redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[3])
    redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', ARGV[3])
    return {'granted'}`),
  set: script(`
    if ARGV[7] ~= '' and not has_lease(ARGV[7]) then return end
    redis.call('PEXPIRE', KEYS[1], ARGV[4])
    store(ARGV[5], ARGV[6])`),
  remove: script(`
    if not has_lease(ARGV[5]) then return end
    redis.call('HDEL', KEYS[1], 'write:' .. ARGV[1])
    if redis.call('HLEN', KEYS[1]) == 1 then redis.call('DEL', KEYS[1]) end
    redis.call('ZREM', KEYS[2], ARGV[2] .. ' ' .. ARGV[1])
    redis.call('ZREM', KEYS[3], ARGV[2] .. ' ' .. ARGV[1])`),
};

/** Redis runs a script in one step. It remembers the text, which goes there once. */
function script(lua: string) {
  const text = `
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
  const digest = createHash('sha1').update(text).digest('hex');
  return async (client: RedisClient, keys: string[], args: string[]): Promise<unknown> => {
    const given = { keys, arguments: args };
    try {
      return await client.evalSha(digest, given);
    } catch (error) {
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
      return client.eval(text, given);
    }
  };
}

/** Records in Redis, for gateways on several machines. */
export function redisStore(redis: Redis, { ttlMs, writes, writesPerCaller }: RecordLimits): RecordStore {
  function run(name: keyof typeof scripts, write: Write, ...args: string[]): Promise<unknown> {
    const given = [write.field, write.key, String(Date.now()), String(ttlMs), ...args];
    return scripts[name](redis.client, namesOf(write), given);
  }
  return {
    get isAvailable() {
      // Not whether it is slow: `idempotency.timeoutMs` bounds the wait.
      return redis.isConnected;
    },
    async claim(write, lease) {
      const { mayEvict, policy } = redis.settings;
      if (mayEvict) return { is: 'unsafe', reason: `its maxmemory-policy is ${policy} and has to be noeviction` };
      const args = [write.request, lease, String(writesPerCaller), String(writes)];
      const [is, detail] = (await run('claim', write, ...args)) as string[];
      return { is, [is === 'found' ? 'text' : 'setting']: detail } as Claim;
    },
    set: (write, text, token = '') => run('set', write, write.request, text, token),
    remove: (write, token) => run('remove', write, token),
    ping: () => redis.client.ping(),
    // The connection is the process's.
    async close() {},
  };
}
