import type { GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../config.ts';
import { atMost } from '../../lib/at-most.ts';
import type { Redis } from '../../redis/connection.ts';
import { Script } from '../../redis/script.ts';
import { digestOf } from '../../upstream/caller.ts';
import { refused } from '../errors/overloaded.ts';

interface ServiceTimeOptions {
  /** Milliseconds of the service for one caller in each second; a bucket that is full has `burstMs`. */
  serviceMsPerSecond: number;
  burstMs: number;
  /** Keeps the buckets apart from those over another service in the same Redis. */
  serviceName: string;
  /** The gateways that share the rate without Redis. */
  gateways: () => number;
  onRefused(): void;
}

type FromGateway = Pick<ServiceTimeOptions, 'serviceName' | 'gateways' | 'onRefused'>;

/** Undefined where callers may use any time of the service. */
export function openServiceTime(
  { serviceMsPerSecond, burstMs }: Config['limits']['callers'],
  redis: Redis | undefined,
  options: FromGateway,
): ServiceTime | undefined {
  if (serviceMsPerSecond === undefined) return undefined;
  return new ServiceTime({ serviceMsPerSecond, burstMs: burstMs ?? 10 * serviceMsPerSecond, ...options }, redis);
}

const maxCallers = 20_000;

/** Takes from a bucket, and gives the time until it is full. The value is the time of Redis at which it is full. */
const takeScript = new Script(`
  local time = redis.call('TIME')
  local now = time[1] * 1000 + time[2] / 1000
  local full = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now) + tonumber(ARGV[1])
  if full <= now then
    redis.call('DEL', KEYS[1])
    return '0'
  end
  redis.call('SET', KEYS[1], string.format('%.3f', full), 'PX', math.ceil(full - now))
  return string.format('%.3f', full - now)`);

/**
 * A token bucket for each caller, in the time of the service. No operation waits for Redis: each one takes from the bucket of this
 * process, and from the shared bucket meanwhile. The reply corrects the bucket of this process.
 */
export class ServiceTime {
  readonly policy: string;
  readonly burstMs: number;
  readonly #options: ServiceTimeOptions;
  readonly #redis: Redis | undefined;
  readonly #prefix: string;
  /** By share: when the bucket is full, in milliseconds of performance.now(). */
  readonly #fullAt = new LRUCache<string, number>(atMost(maxCallers));

  constructor(options: ServiceTimeOptions, redis: Redis | undefined) {
    const { serviceMsPerSecond, burstMs } = options;
    this.burstMs = burstMs;
    this.policy = `"service-time";q=${burstMs};w=${Math.ceil(burstMs / serviceMsPerSecond)};qu="service-ms"`;
    this.#options = options;
    this.#redis = redis;
    this.#prefix = `graphql-gateway:service-time:${digestOf(options.serviceName)}:`;
  }

  /** Milliseconds of the service that the caller may still use; below 0 where operations took longer than supposed. */
  left(share: string): number {
    const waitMs = Math.max(0, (this.#fullAt.get(share) ?? 0) - performance.now());
    return this.burstMs - waitMs * this.#rate;
  }

  take(share: string, ms: number): void {
    if (ms === 0) return;
    const now = performance.now();
    this.#fullAt.set(share, Math.max(now, this.#fullAt.get(share) ?? 0) + ms / this.#rate);
    if (this.#redis?.isAvailable) void this.#share(this.#redis, share, ms / this.#rate);
  }

  /** The value of `RateLimit`. */
  state(share: string): string {
    const left = Math.floor(this.left(share));
    const seconds = left >= this.burstMs ? 0 : Math.max(1, this.secondsUntil(share, 0));
    return `"service-time";r=${Math.max(0, left)};t=${seconds}`;
  }

  secondsUntil(share: string, ms: number): number {
    return Math.ceil((ms - this.left(share)) / this.#rate / 1000);
  }

  refusal(share: string, ms: number): GraphQLError {
    const { serviceMsPerSecond } = this.#options;
    const message = `This caller has used its time of the service: ${serviceMsPerSecond} ms a second, and ${this.burstMs} ms at once (limits.callers.serviceMsPerSecond, limits.callers.burstMs).`;
    return refused({ code: 'RATE_LIMITED', message, status: 429 }, Math.max(1, this.secondsUntil(share, ms)));
  }

  countRefusal(): void {
    this.#options.onRefused();
  }

  /** Milliseconds of the service in each millisecond. */
  get #rate(): number {
    const { serviceMsPerSecond, gateways } = this.#options;
    return serviceMsPerSecond / 1000 / (this.#redis?.isAvailable ? 1 : gateways());
  }

  async #share(redis: Redis, share: string, fillMs: number): Promise<void> {
    try {
      const reply = await redis.inTime(takeScript.run(redis.client, [this.#prefix + share], [fillMs.toFixed(3)]));
      const leftMs = Number(reply);
      if (Number.isFinite(leftMs)) this.#fullAt.set(share, performance.now() + leftMs);
    } catch {
      // The connection logs that Redis is away. Meanwhile the bucket of this process counts alone.
    }
  }
}
