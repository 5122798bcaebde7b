import type { createClient } from '@redis/client';
import type { Logger } from 'pino';

/** Redis answers INFO while it is ready. */
type InfoClient = Pick<ReturnType<typeof createClient>, 'info' | 'isReady'>;

/** Whether Redis may lose what gateways store there, by its own settings. Each is undefined where Redis does not show it. */
export class RedisSettings {
  /** `maxmemory-policy`. All but `noeviction` drop records, because records have a time to live. */
  policy: string | undefined;
  /** `appendonly`. */
  writesToDisk: boolean | undefined;
  readonly #client: InfoClient;
  readonly #logger: Logger;
  #logged = '';

  constructor(client: InfoClient, logger: Logger) {
    this.#client = client;
    this.#logger = logger;
  }

  get mayEvict(): boolean | undefined {
    return this.policy === undefined ? undefined : this.policy !== 'noeviction';
  }

  /** Reads the settings, and logs what is wrong with them where that has changed. Leaves them where Redis is away. */
  async read(): Promise<void> {
    // Managed services forbid CONFIG, and allow INFO.
    const texts = await Promise.all([this.#client.info('memory'), this.#client.info('persistence')]).catch(() => []);
    if (!this.#client.isReady) return;
    const info = texts.join('\n');
    const persistence = /^aof_enabled:(\d)/m.exec(info)?.[1];
    this.policy = /^maxmemory_policy:([\w-]+)/m.exec(info)?.[1];
    this.writesToDisk = persistence === undefined ? undefined : persistence === '1';
    const state = `${this.policy} ${this.writesToDisk}`;
    if (state !== this.#logged) this.#log();
    this.#logged = state;
  }

  #log(): void {
    if (this.policy === undefined || this.writesToDisk === undefined) {
      const unknown =
        'The user of REDIS_URL cannot read INFO. See yourself that Redis has maxmemory-policy noeviction and appendonly yes';
      this.#logger.warn(unknown);
    }
    if (this.mayEvict) {
      const evicts =
        'Redis may drop records of writes: writes with a key are refused until maxmemory-policy is noeviction';
      this.#logger.error({ policy: this.policy }, evicts);
    }
    if (this.writesToDisk === false) {
      this.#logger.warn('Redis loses the records of writes when it restarts: appendonly has to be yes');
    }
  }
}
