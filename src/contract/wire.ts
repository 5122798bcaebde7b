import { isObject, type Json } from '../lib/json.ts';
import type { WireNames } from './contract.ts';
import type { DialectName } from './dialect-name.ts';

/** Reads the answers of a service in its own words. */
export class Wire {
  readonly #names: WireNames;

  constructor(names: WireNames) {
    this.#names = names;
  }

  /** The dialect whose envelope the body has. */
  dialectOf(body: unknown): DialectName | undefined {
    const { envelope } = this.#names;
    return this.#isEnveloped(body) ? envelope?.dialect : undefined;
  }

  /** The documented part of a body, which some deployments send in an envelope. A page has the words of the gateway. */
  dataOf(body: unknown, isPage: boolean): unknown {
    const { envelope, page } = this.#names;
    const data = envelope && this.#isEnveloped(body) ? body[envelope.data] : body;
    if (!isPage || !isObject(data) || (page.count === 'count' && page.rows === 'results')) return data;
    return { ...data, count: data[page.count], results: data[page.rows] };
  }

  /** The status of the failure that an envelope stands for, whatever the status of its answer. */
  failureOf(body: unknown): number | undefined {
    const { envelope } = this.#names;
    if (!envelope || !this.#isEnveloped(body) || body[envelope.success] !== false) return undefined;
    const code = body[envelope.code];
    // JSON may hold any number there, also one that is infinite.
    return Number.isInteger(code) && (code as number) >= 400 && (code as number) < 600 ? (code as number) : 500;
  }

  /** Bodies are messages in an envelope, or the messages. These are by field, one for the whole body, or a bare list. */
  messagesOf(body: unknown): unknown {
    const { envelope } = this.#names;
    if (!envelope || !isObject(body) || body[envelope.success] !== false) return body;
    return envelope.message in body ? body[envelope.message] : body;
  }

  /** The message is about the whole body, and not about a field of this name. */
  isWholeBody(name: string): boolean {
    return this.#names.wholeBody.includes(name);
  }

  #isEnveloped(body: unknown): body is Json {
    const { envelope } = this.#names;
    return envelope !== undefined && isObject(body) && envelope.success in body && envelope.data in body;
  }
}
