import { createHash } from 'node:crypto';
import type { RedisClient } from './connection.ts';

/** Lua that Redis runs in one step. Redis remembers the text, which goes there once. */
export class Script {
  readonly #text: string;
  readonly #digest: string;

  constructor(text: string) {
    this.#text = text;
    this.#digest = createHash('sha1').update(text).digest('hex');
  }

  async run(client: RedisClient, keys: string[], args: string[]): Promise<unknown> {
    const given = { keys, arguments: args };
    try {
      return await client.evalSha(this.#digest, given);
    } catch (error) {
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
      return client.eval(this.#text, given);
    }
  }
}
