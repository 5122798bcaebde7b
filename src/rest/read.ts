import { type Deadlines, Timed } from './deadlines.ts';
import { RestError } from './errors.ts';
import { readFailure } from './failures.ts';

export interface ReadOptions {
  /** Hears the status of the answer. */
  onStatus?: (status: number) => void;
  /** Ends the read early. */
  signal?: AbortSignal;
}

/** What came over the wire. */
export interface RawAnswer {
  status: number;
  text: string;
  retryAfter: string | undefined;
}

/**
 * One GET; `dispatch` sends it and tells the handler what comes. An operation makes a hundred of them, and to each the
 * body stream, the signals and the timer of undici's `request` would add more work than its transfer is.
 * @throws RestError for a connection that failed and at the deadline; the signal's reason when that aborts.
 */
export function read(
  dispatch: (handler: Exchange) => void,
  deadlines: Deadlines,
  options: ReadOptions,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    if (options.signal?.aborted) reject(options.signal.reason);
    else dispatch(new Exchange({ resolve, reject, deadlines, options }));
  });
}

interface ExchangeInit {
  resolve: (answer: RawAnswer) => void;
  reject: (error: unknown) => void;
  deadlines: Deadlines;
  options: ReadOptions;
}

interface Controller {
  abort(reason: Error): void;
}

/** Settles once: with the whole answer, with the error that came instead, or when it is given up. */
class Exchange extends Timed {
  readonly #init: ExchangeInit;
  readonly #leave = () => this.#giveUp(this.#init.options.signal?.reason);
  readonly #chunks: Buffer[] = [];
  #controller: Controller | undefined;
  #status = 0;
  #retryAfter: string | undefined;
  #isOver = false;

  constructor(init: ExchangeInit) {
    super();
    this.#init = init;
    init.deadlines.start(this);
    init.options.signal?.addEventListener('abort', this.#leave);
  }

  expire(): void {
    this.#giveUp(new RestError('UPSTREAM_TIMEOUT', 'The service did not answer in time.'));
  }

  onRequestStart(controller: Controller): void {
    // Given up while it waited for a connection. An abort would close the connection, for which others wait too.
    if (this.#isOver) throw new Error('The read was given up before it was sent.');
    this.#controller = controller;
  }

  onResponseStart(_: Controller, status: number, headers: { 'retry-after'?: string | string[] }): void {
    // 1xx: the answer is yet to come.
    if (status < 200) return;
    this.#status = status;
    this.#retryAfter = headers['retry-after'] as string | undefined;
    this.#init.options.onStatus?.(status);
  }

  onResponseData(_: Controller, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const text = decoded(this.#chunks);
    if (this.#end()) this.#init.resolve({ status: this.#status, text, retryAfter: this.#retryAfter });
  }

  onResponseError(_: Controller, error: Error): void {
    if (this.#end()) this.#init.reject(readFailure(error));
  }

  #giveUp(reason: unknown): void {
    if (!this.#end()) return;
    this.#init.reject(reason);
    this.#controller?.abort(new Error('The read was given up.'));
  }

  /** False if it was over before. */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#init.deadlines.stop(this);
    this.#init.options.signal?.removeEventListener('abort', this.#leave);
    return true;
  }
}

function decoded(chunks: readonly Buffer[]): string {
  const [first] = chunks;
  if (first === undefined) return '';
  const bytes = chunks.length === 1 ? first : Buffer.concat(chunks);
  const hasByteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString('utf8', hasByteOrderMark ? 3 : 0);
}
