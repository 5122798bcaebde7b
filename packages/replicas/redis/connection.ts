import { EventEmitter } from 'node:events';
import { HangGuard, loggedError } from '@gateway/base';
import { createClient } from '@redis/client';
import type { Logger } from 'pino';
import { RedisSettings } from './settings.ts';

const connectTimeoutMs = 1_000;
const reconnectPauseMs = 100;
/** A connection that is silent for longer has lost its other end. Pings keep a good one from being silent. */
const silenceMs = 5_000;
const pingIntervalMs = 1_000;
const settingsIntervalMs = 60_000;

/** The pings of which the fastest gives the distance. A busy process or Redis delays single ones. */
const measuredPings = 5;
/** No two places of the Earth are farther apart, over a satellite. A Redis that takes longer is slow. */
const longestRoundTripMs = 500;

export interface RedisOptions {
  url: string;
  /** The longest wait for a reply, beyond the measured round trip. */
  timeoutMs: number;
}

/** Commands fail at once while Redis cannot be reached. */
export type RedisClient = ReturnType<typeof newClient>;

function newClient(url: string, isOpen: () => boolean) {
  return createClient({
    url,
    // Otherwise Redis would execute a command after a reconnection, when its request has ended.
    disableOfflineQueue: true,
    // A time for the queue, which costs a timer for each command.
    commandOptions: { timeout: 0 },
    socket: {
      connectTimeout: connectTimeoutMs,
      socketTimeout: silenceMs,
      reconnectStrategy: () => isOpen() && reconnectPauseMs,
    },
  });
}

/** The one connection to Redis that all parts of the process share. `up` and `down`: it becomes available, or ceases to be. */
export class Redis extends EventEmitter<{ up: []; down: [] }> {
  readonly client: RedisClient;
  readonly timeoutMs: number;
  readonly settings: RedisSettings;
  readonly #logger: Logger;
  readonly #guard: HangGuard;
  readonly #timers: NodeJS.Timeout[];
  /** Milliseconds of the last pings. */
  #roundTrips: number[] = [];
  #isOpen = false;
  #wasAvailable = false;

  /** Call `open` instead. */
  private constructor({ url, timeoutMs }: RedisOptions, logger: Logger) {
    super();
    this.timeoutMs = timeoutMs;
    this.#logger = logger;
    this.client = newClient(url, () => this.#isOpen);
    this.settings = new RedisSettings(this.client, logger);
    const address = new URL(url).host;
    this.#guard = new HangGuard(
      {
        ping: () => this.#measure(),
        onHangs: () => {
          const roundTripMs = Math.ceil(this.roundTripMs);
          logger.error({ timeoutMs, roundTripMs }, 'REDIS_URL does not answer in time (redis.timeoutMs)');
          this.#notify();
        },
        onAnswers: () => this.#notify(),
      },
      () => timeoutMs + this.roundTripMs,
    );
    this.client.on('error', (err: Error) => {
      if (this.#isOpen && this.#wasAvailable) logger.error({ address, err }, 'REDIS_URL cannot be reached');
      this.#notify();
    });
    this.client.on('ready', () => this.#notify());
    const readSettings = () => void this.settings.read();
    // Another server may have taken over.
    this.on('up', readSettings);
    this.#timers = [
      setInterval(() => this.#ping(), pingIntervalMs).unref(),
      setInterval(readSettings, settingsIntervalMs).unref(),
    ];
  }

  /** @throws Error where Redis cannot be reached; it names the host, because the URL may hold a password. */
  static async open(options: RedisOptions, logger: Logger): Promise<Redis> {
    const redis = new Redis(options, logger);
    try {
      await redis.client.connect();
      for (let count = 0; count < measuredPings; count += 1) await redis.#measure();
    } catch (error) {
      redis.close();
      // A Redis that does not know a command quotes its arguments, such as the password.
      const { code, reason, type } = loggedError(error);
      const cause = code ?? reason ?? type;
      throw new Error(
        `REDIS_URL cannot be reached at ${new URL(options.url).host}: ${cause}. No gateway starts without its Redis.`,
      );
    }
    redis.#isOpen = true;
    redis.#wasAvailable = true;
    await redis.settings.read();
    return redis;
  }

  get isConnected(): boolean {
    return this.client.isReady;
  }

  /** Milliseconds to Redis and back, as measured. */
  get roundTripMs(): number {
    return Math.min(longestRoundTripMs, ...this.#roundTrips);
  }

  /** False while the connection is lost, and from the first late reply until Redis answers again. Then do not ask it. */
  get isAvailable(): boolean {
    return this.client.isReady && !this.#guard.hangs;
  }

  /** Settles as the reply does. Rejects where it takes longer than a round trip and `redis.timeoutMs`. */
  inTime<T>(reply: Promise<T>): Promise<T> {
    return this.#guard.inTime(reply);
  }

  close(): void {
    this.#isOpen = false;
    for (const timer of this.#timers) clearInterval(timer);
    this.#guard.close();
    if (this.client.isOpen) this.client.destroy();
  }

  #notify(): void {
    if (!this.#isOpen || this.isAvailable === this.#wasAvailable) return;
    this.#wasAvailable = this.isAvailable;
    if (this.isAvailable) this.#logger.info('Redis answers again');
    this.emit(this.isAvailable ? 'up' : 'down');
  }

  #ping(): void {
    if (this.isAvailable) this.inTime(this.#measure()).catch(() => {});
  }

  async #measure(): Promise<void> {
    const startedAt = performance.now();
    await this.client.ping();
    this.#roundTrips = [performance.now() - startedAt, ...this.#roundTrips].slice(0, measuredPings);
  }
}
