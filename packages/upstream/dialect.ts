import { isObject, type Json, UpstreamError } from '@gateway/base';
import type { Contract, DialectName, DialectTraits } from '@gateway/contract';
import type { UpstreamEvents } from './events.ts';

/** The dialect of the service, as the settings name it or as answers show it. The first answer that shows one decides. */
export class Dialect {
  /** `auto`, or the name of a dialect. */
  readonly configured: string;
  /** The dialect of the answers; undefined until one shows it. */
  seen: DialectName | undefined;
  /** An envelope or a time has shown the dialect, so that no further answer says more. */
  isSettled: boolean;
  /** The dialect that the gateway speaks; undefined where neither the settings nor an answer has shown it. */
  known: DialectName | undefined;
  /** The traits of the dialect that the gateway speaks, or supposes. */
  traits: DialectTraits;
  #asking: Promise<unknown> | undefined;
  readonly #contract: Contract;
  readonly #events: UpstreamEvents | undefined;

  constructor(contract: Contract, configured: string, events?: UpstreamEvents) {
    const { dialects } = contract.data;
    this.#contract = contract;
    this.configured = configured;
    this.known = dialects.find(({ name }) => dialects.length === 1 || name === configured)?.name;
    if (!this.known && configured !== 'auto') {
      throw new Error(
        `UPSTREAM_DIALECT is ${configured}; the contract has ${dialects.map(({ name }) => name).join(', ')}.`,
      );
    }
    this.traits = contract.dialect(this.known);
    this.isSettled = dialects.length === 1;
    this.seen = this.isSettled ? this.known : undefined;
    this.#events = events;
  }

  /** Names what an operator has to change, where the service speaks another dialect than the gateway. */
  get advice(): string | undefined {
    if (!this.isSettled || this.seen === this.known) return undefined;
    return `UPSTREAM_DIALECT is ${this.configured}, and the gateway speaks ${this.known}, but the service answers in ${this.seen}; set UPSTREAM_DIALECT=${this.seen}.`;
  }

  /** Takes the JSON of an answer. `enveloped`: the dialect of its envelope. `data`: the documented body of a success, which has this `shape`. */
  hear({ enveloped, data, shape }: { enveloped: DialectName | undefined; data: unknown; shape: string }): void {
    if (this.isSettled) return;
    const shown = enveloped ?? this.#dialectOfTimes(data, shape);
    this.isSettled = shown !== undefined;
    // Errors of a proxy have no envelope either, and neither has a page that is not the service's.
    this.seen = shown ?? this.seen ?? (isDocumented(data) ? this.#contract.dialect().name : undefined);
    if (this.seen && !this.known) {
      this.known = this.seen;
      this.traits = this.#contract.dialect(this.known);
      this.#events?.emit('dialectFound', this.seen);
    }
    const { advice, configured, known: used, seen } = this;
    if (advice) this.#events?.emit('dialectContradicted', advice, { configured, used, seen });
  }

  /**
   * The dialect, after a read that shows it where none has yet. Operations wait for the read of another one once: its key
   * may be refused where theirs are not. That read ends with its operation, which began before theirs.
   * @throws UpstreamError from the read, where no answer shows the dialect.
   */
  async find(read: () => Promise<Json>): Promise<DialectTraits> {
    if (!this.known) await this.#asking;
    if (this.known) return this.traits;
    const answer = read();
    this.#asking = answer.catch(() => {});
    const error = await answer.then(noDialect, (reason: unknown) => reason);
    if (this.known) return this.traits;
    throw error instanceof UpstreamError ? withAdvice(error) : error;
  }

  /** The one dialect that writes times as the object or the first row does. No text of ISO 8601 is a number. */
  #dialectOfTimes(data: unknown, shape: string): DialectName | undefined {
    if (!isObject(data)) return undefined;
    const { dialects, shapes } = this.#contract.data;
    const isPage = Array.isArray(data.results);
    const row = Array.isArray(data.results) ? data.results[0] : data;
    if (!isObject(row)) return undefined;
    const fields = shapes[isPage ? this.#contract.rowShape(shape) : shape] ?? {};
    const values = Object.keys(fields).flatMap((name) => (fields[name] === 'date-time' ? (row[name] ?? []) : []));
    if (values.length === 0) return undefined;
    const times = values.some((value) => /^\d+(\.\d+)?$/.test(String(value))) ? 'unix' : 'iso';
    const [found, other] = dialects.filter((dialect) => dialect.times === times);
    return other ? undefined : found?.name;
  }
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
