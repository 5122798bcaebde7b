import type { DialectName } from '../contract/dialect-name.ts';
import { isObject, type Json } from '../lib/json.ts';
import { UpstreamError } from './errors.ts';
import type { UpstreamEvents } from './events.ts';

/** Fields of rows that have a time in nearly every answer. */
const timeFields = ['created_on', 'updated_on'];

/** The dialect of the service, as the settings name it or as answers show it. The first answer that shows one decides. */
export class Dialect {
  readonly configured: 'auto' | DialectName;
  /** The dialect of the answers; undefined until one shows it. */
  seen: DialectName | undefined;
  /** An envelope or a time has shown the dialect, so that no further answer says more. */
  isSettled = false;
  #known: DialectName | undefined;
  #asking: Promise<unknown> | undefined;
  readonly #events: UpstreamEvents | undefined;

  constructor(configured: 'auto' | DialectName, events?: UpstreamEvents) {
    this.configured = configured;
    this.#known = configured === 'auto' ? undefined : configured;
    this.#events = events;
  }

  /** The dialect that the gateway speaks; undefined where neither the settings nor an answer has shown it. */
  get known(): DialectName | undefined {
    return this.#known;
  }

  /** Names what an operator has to change, where the service speaks another dialect than the gateway. */
  get advice(): string | undefined {
    if (!this.isSettled || this.seen === this.#known) return undefined;
    return `UPSTREAM_DIALECT is ${this.configured}, and the gateway speaks ${this.#known}, but the service answers in ${this.seen}; set UPSTREAM_DIALECT=${this.seen}.`;
  }

  /** Takes the JSON of an answer. `enveloped`: the dialect of its envelope. `data`: the documented body of a success. */
  hear({ enveloped, data }: { enveloped: DialectName | undefined; data: unknown }): void {
    if (this.isSettled) return;
    const shown = enveloped ?? timesOf(data);
    this.isSettled = shown !== undefined;
    // Errors of a proxy have no envelope either, and neither has a page that is not the service's.
    this.seen = shown ?? this.seen ?? (isDocumented(data) ? 'spec' : undefined);
    if (this.seen && !this.#known) {
      this.#known = this.seen;
      this.#events?.emit('dialectFound', this.seen);
    }
    if (this.advice) this.#events?.emit('dialectContradicted', this);
  }

  /**
   * The dialect, after a read that shows it where none has yet. Operations wait for the read of another one once: its key
   * may be refused where theirs are not. That read ends with its operation, which began before theirs.
   * @throws UpstreamError from the read, where no answer shows the dialect.
   */
  async find(read: () => Promise<Json>): Promise<DialectName> {
    if (!this.#known) await this.#asking;
    if (this.#known) return this.#known;
    const answer = read();
    this.#asking = answer.catch(() => {});
    const error = await answer.then(noDialect, (reason: unknown) => reason);
    if (this.#known) return this.#known;
    throw error instanceof UpstreamError ? withAdvice(error) : error;
  }
}

function timesOf(data: unknown): DialectName | undefined {
  if (!isObject(data)) return undefined;
  const row = Array.isArray(data.results) ? data.results[0] : data;
  if (!isObject(row)) return undefined;
  const time = timeFields.map((name) => row[name]).find((value) => value != null);
  if (time === undefined) return undefined;
  return /^\d+(\.\d+)?$/.test(String(time)) ? 'connect' : 'spec';
}

function isDocumented(data: unknown): boolean {
  return isObject(data) && (Array.isArray(data.results) || 'id' in data);
}

const noDialect = () => new UpstreamError('UPSTREAM_INVALID_RESPONSE', 'The service answered no list.');

/** Has no status: the error is that of another call, which an Idempotency-Key must not record as the write's. */
function withAdvice({ code, message, retryAfter }: UpstreamError): UpstreamError {
  const advice = 'Nothing else was sent, because no answer has shown the dialect of the service yet.';
  return new UpstreamError(code, `${message} ${advice} UPSTREAM_DIALECT can name it.`, { retryAfter });
}
